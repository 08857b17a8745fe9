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
        <tbody>{inOrder(stages).map(({ at, stage, part, hasGpuPart }) => <StageRow key={at} stage={stage} name={names[at] ?? stage.operator} end={end} part={part} hasGpuPart={hasGpuPart} />)}</tbody>
      </table>
    </div>
  );
}

interface Placed {
  /** Its number in the record of the run. */
  at: number;
  stage: StageFacts;
  /** Whether it is a part of a join, on a GPU. */
  part: boolean;
  /** Whether it is a join with such a part. */
  hasGpuPart: boolean;
}

/** Stages by their start; what a GPU does for a join comes after the join, which the record names at its end. */
function inOrder(stages: StageFacts[]): Placed[] {
  const onGpu = stages.filter(({ operator }) => operator === "prepare_on_device" || operator === "run_on_device");
  const joins = stages.filter(({ operator }) => operator === "join_and_verify");
  const within = (part: StageFacts, join: StageFacts): boolean => part.start >= join.start - 1e-9 && part.start + part.seconds <= join.start + join.seconds + 1e-9;
  return stages
    .map((stage, at) => ({
      at, stage,
      part: onGpu.includes(stage) && joins.some((join) => within(stage, join)),
      hasGpuPart: joins.includes(stage) && onGpu.some((part) => within(part, stage)),
    }))
    .sort((a, b) => a.stage.start - b.stage.start || b.stage.seconds - a.stage.seconds || a.at - b.at);
}

function placeOf(stage: StageFacts, hasGpuPart: boolean): string {
  if (hasGpuPart) return "CPU, GPU";
  if (stage.gpu !== null) return `GPU ${stage.gpu}`;
  return stage.operator.includes("device") ? "GPU" : "CPU";
}

function StageRow({ stage, name, end, part, hasGpuPart }: { stage: StageFacts; name: string; end: number; part: boolean; hasGpuPart: boolean }) {
  const place = placeOf(stage, hasGpuPart);
  const rows = (value: number): string => (stage.input === 0 && stage.output === 0 ? "–" : count(value));
  const style = { insetInlineStart: `${(stage.start / end) * 100}%`, inlineSize: `max(3px, ${(stage.seconds / end) * 100}%)` };
  return (
    <tr>
      <th scope="row"><span class="clamp" title={stage.rules.join("; ")}>{part && <span aria-hidden="true">└ </span>}{name}{stage.rules.length > 0 && <span class="hint"> {stage.rules.join("; ")}</span>}</span></th>
      <td>{place}</td>
      <td class="end">{seconds(stage.seconds)}</td>
      <td class="lane"><span class="lane-room" aria-hidden="true"><span class={`lane-bar ${place === "CPU" ? "main" : "other"}`} style={style} /></span></td>
      <td class="end">{rows(stage.input)}</td>
      <td class="end">{rows(stage.output)}</td>
      <td class="end">{stage.bytes === null ? "–" : bytes(stage.bytes)}</td>
    </tr>
  );
}
