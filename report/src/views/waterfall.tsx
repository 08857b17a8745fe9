/** How the score of a pair comes about: what each comparison adds, from the prior to the sum. */
import type { Scores } from "../data";
import { number, share, signed } from "../model/format";
import { useReport, type Report } from "../model/report";

interface Step {
  name: string;
  detail: string;
  adds: number;
  /** The sum before and after it. */
  from: number;
  to: number;
  total: boolean;
}

export function WaterfallView({ pair }: { pair: number }) {
  const report = useReport();
  const { scores } = report.facts;
  if (scores === null) return null;
  const steps = stepsOf(report, scores, pair);
  if (steps.length < 2) return <p class="nothing">What each comparison adds was not kept for this pair.</p>;
  const ends = steps.flatMap((step) => [step.from, step.to]).concat(0, scores.threshold);
  const low = Math.min(...ends);
  const span = Math.max(...ends) - low || 1;
  const place = (value: number): number => ((value - low) / span) * 100;
  return (
    <div class="table-scroll" tabIndex={0} role="region" aria-label="What each comparison adds to the score">
      <table class="waterfall">
        <caption class="for-readers">What each comparison adds to the score</caption>
        <thead>
          <tr><th scope="col">Comparison</th><th scope="col">Outcome</th><th scope="col" class="end">Adds</th><th scope="col" class="picture-column">{scores.unit}; the dashed line is the threshold, {signedOrNot(scores, scores.threshold)}</th></tr>
        </thead>
        <tbody>
          {steps.map((step) => (
            <tr key={step.name + step.detail} class={step.total ? "total" : ""}>
              <th scope="row">{step.name}</th>
              <td class="outcome">{step.detail}</td>
              <td class="end">{signedOrNot(scores, step.adds)}</td>
              <td class="lane"><StepBar step={step} place={place} threshold={scores.threshold} /></td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function StepBar(props: { step: Step; place: (value: number) => number; threshold: number }) {
  const { step, place } = props;
  const from = Math.min(place(step.from), place(step.to));
  const width = Math.abs(place(step.to) - place(step.from));
  const tone = step.total ? "total" : step.adds < 0 ? "minus" : "plus";
  return (
    <span class="lane-room" aria-hidden="true">
      <span class={`lane-bar ${tone}`} style={{ insetInlineStart: `${from}%`, inlineSize: `max(2px, ${width}%)` }} />
      <span class="lane-line dashed" style={{ insetInlineStart: `${place(props.threshold)}%` }} />
      <span class="lane-line" style={{ insetInlineStart: `${place(0)}%` }} />
    </span>
  );
}

function stepsOf({ facts, tables }: Report, scores: Scores, pair: number): Step[] {
  const steps: Step[] = [];
  let sum = 0;
  const add = (name: string, detail: string, adds: number): void => {
    steps.push({ name, detail, adds, from: sum, to: sum + adds, total: false });
    sum += adds;
  };
  if (scores.priorWeight !== null) add("prior", "two random records", scores.priorWeight);
  for (const row of Array.from(tables.waterfallOfPair().of(pair))) {
    const comparison = scores.comparisons[tables.waterfall.comparison[row] ?? 0];
    const name = comparison?.name ?? "";
    const level = comparison?.levels[tables.waterfall.level[row] ?? -1]?.text;
    add(name, level ?? `similarity ${number(tables.waterfall.similarity[row] ?? NaN) || "missing"}`, tables.waterfall.adds[row] ?? 0);
    const frequency = tables.waterfall.termFrequency[row] ?? NaN;
    if (Number.isFinite(frequency) && frequency !== 0) add(name, "by the frequency of the value", frequency);
  }
  const score = tables.pairs.score[pair] ?? NaN;
  const total = Number.isFinite(score) ? score : sum;
  const probability = tables.pairs.probability[pair] ?? NaN;
  const meaning = Number.isFinite(probability) ? `match probability ${share(probability)}` : "";
  if (facts.scores !== null && steps.length > 0) steps.push({ name: scores.kind === "weight" ? "match weight" : "score", detail: meaning, adds: total, from: 0, to: total, total: true });
  return steps;
}

function signedOrNot(scores: Scores, value: number): string {
  return scores.kind === "weight" ? signed(value) : value.toFixed(4);
}
