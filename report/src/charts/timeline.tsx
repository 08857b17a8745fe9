/** Stages over the time of the run: a lane for each, in a table. */
import type { StageFacts } from "../data";
import { bytes, count, seconds } from "../model/format";

export function Timeline({ stages, names, total }: { stages: StageFacts[]; names: string[]; total: number }) {
  const end = Math.max(total, ...stages.map((stage) => stage.start + stage.seconds)) || 1;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="Stages of the run">
      <table class="timeline">
        <caption class="for-readers">Stages of the run</caption>
        <thead>
          <tr><th scope="col">Stage</th><th scope="col">On</th><th scope="col" class="end">Took</th><th scope="col" class="lane-head"><span>0</span><span>{seconds(end / 2)}</span><span>{seconds(end)}</span></th><th scope="col" class="end">Rows in</th><th scope="col" class="end">Rows out</th><th scope="col" class="end">Bytes</th></tr>
        </thead>
        <tbody>{stages.map((stage, i) => <StageRow key={i} stage={stage} name={names[i] ?? stage.operator} end={end} />)}</tbody>
      </table>
    </div>
  );
}

function StageRow({ stage, name, end }: { stage: StageFacts; name: string; end: number }) {
  const onGpu = stage.gpu !== null || stage.operator.includes("device");
  const style = { insetInlineStart: `${(stage.start / end) * 100}%`, inlineSize: `max(3px, ${(stage.seconds / end) * 100}%)` };
  return (
    <tr>
      <th scope="row"><span class="clamp" title={stage.rules.join("; ")}>{name}{stage.rules.length > 0 && <span class="hint"> {stage.rules.join("; ")}</span>}</span></th>
      <td>{stage.gpu !== null ? `GPU ${stage.gpu}` : onGpu ? "GPU" : "CPU"}</td>
      <td class="end">{seconds(stage.seconds)}</td>
      <td class="lane"><span class="lane-room" aria-hidden="true"><span class={`lane-bar ${onGpu ? "other" : "main"}`} style={style} /></span></td>
      <td class="end">{count(stage.input)}</td>
      <td class="end">{count(stage.output)}</td>
      <td class="end">{stage.bytes === null ? "–" : bytes(stage.bytes)}</td>
    </tr>
  );
}
