/** Everything that is known of two records as a pair. */
import { share } from "../model/format";
import { ruleNumbers } from "../model/numbers_of_text";
import { ruleName, scoreText, useReport, type Report } from "../model/report";
import { PAIR } from "../model/tables";
import { opening, useRoute } from "../route";
import { Value } from "../ui/value";
import { KindTag } from "./pair_table";
import { Reasons } from "./reasons";
import { RecordDifferences } from "./record_differences";
import { WaterfallView } from "./waterfall";

/** `pair` is -1 where the pair is not among the explained ones. */
export function PairView({ left, right, pair }: { left: number; right: number; pair: number }) {
  const report = useReport();
  const { facts, tables } = report;
  return (
    <article class="pair-view">
      <h2 tabIndex={-1}>
        <Value text={tables.records.id(left)} /> <span class="and">and</span> <Value text={tables.records.id(right)} />
      </h2>
      <p class="says">{verdictOf(report, left, right, pair)}</p>
      {pair >= 0 && <PairFacts pair={pair} />}
      <RecordDifferences left={left} right={right} />
      {pair >= 0 && facts.scores !== null && facts.scores.kind !== "outside" && <><h3>Score</h3><WaterfallView pair={pair} /></>}
      {pair >= 0 && <><h3>Why</h3><Reasons pair={pair} /></>}
    </article>
  );
}

function PairFacts({ pair }: { pair: number }) {
  const report = useReport();
  const route = useRoute();
  const { pairs, records } = report.tables;
  const cluster = records.cluster[pairs.left[pair] ?? 0] ?? -1;
  const together = cluster >= 0 && cluster === records.cluster[pairs.right[pair] ?? 0];
  const score = pairs.score[pair] ?? NaN;
  const probability = pairs.probability[pair] ?? NaN;
  return (
    <p class="facts-line">
      <KindTag kind={pairs.kind[pair] ?? 0} />
      {Number.isFinite(score) && <span>{report.facts.scores?.unit} <b>{scoreText(report, score)}</b></span>}
      {Number.isFinite(probability) && <span>match probability <b>{share(probability)}</b></span>}
      {together && <a href={opening(route, "cluster", cluster)}>their cluster</a>}
    </p>
  );
}

/** One sentence: whether it is a pair, and by which rule. */
export function verdictOf({ facts, tables }: Report, left: number, right: number, pair: number): string {
  const { pairs, records } = tables;
  if (pair < 0) {
    const cluster = records.cluster[left] ?? -1;
    const together = cluster >= 0 && cluster === records.cluster[right];
    return together ? "Two records of one cluster. This report holds no reasons for this pair." : "This report holds no reasons for these two records.";
  }
  const kind = pairs.kind[pair] ?? 0;
  const rule = ruleName(facts, pairs.rule[pair] ?? -1);
  if (kind === PAIR.result) return resultSentence(facts.scores !== null, rule, ruleNumbers(pairs.rulesText(pair)).length);
  const never = facts.rules.nevers[pairs.never[pair] ?? -1];
  if (never !== undefined) return `No pair: the never “${never.name}” forbids it.`;
  if (kind === PAIR.sameCluster) return "No pair, but in one cluster: other records connect the two.";
  const condition = facts.conditions[pairs.condition[pair] ?? -1]?.text;
  if (facts.scores !== null && condition === undefined) return "No pair: its score is below the threshold.";
  if (rule === "" || condition === undefined) return "No pair.";
  return `No pair: rule “${rule}” would hold but for one condition, ${condition}.`;
}

function resultSentence(scored: boolean, rule: string, holding: number): string {
  if (scored && (rule === "" || rule === "score")) return "A pair by its score.";
  const more = holding > 1 ? `, and ${holding - 1} more ${holding === 2 ? "does" : "do"}, too` : "";
  return `A pair: rule “${rule}” holds${more}.`;
}
