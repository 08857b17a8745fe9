/** Why a pair is one: each rule with its conditions, what they compared, and by how much they hold or miss. */
import type { Condition, ReportFacts } from "../data";
import { number } from "../model/format";
import { ruleNumbers } from "../model/numbers_of_text";
import { ruleName, useReport } from "../model/report";
import { Code, Tag } from "../ui/parts";
import { compared, Marked, Value } from "../ui/value";

const VERDICTS = [
  { sign: "✗", word: "not satisfied", tone: "no" },
  { sign: "✓", word: "satisfied", tone: "yes" },
  { sign: "?", word: "open: a value is missing", tone: "open" },
];

/** The row of `findings` for each condition. */
type FindingOf = Map<number, number>;

export function Reasons({ pair }: { pair: number }) {
  const { facts, tables } = useReport();
  const rows = Array.from(tables.findingsOfPair().of(pair));
  const findings: FindingOf = new Map(rows.map((row) => [tables.findings.condition[row] ?? -1, row]));
  if (rows.length === 0) return null;
  const holding = new Set(ruleNumbers(tables.pairs.rulesText(pair)));
  const first = facts.rules.list.map((_, rule) => rule).filter((rule) => holding.has(rule) || (holding.size === 0 && rule === tables.pairs.rule[pair]));
  const others = facts.rules.list.map((_, rule) => rule).filter((rule) => !first.includes(rule));
  return (
    <div class="reasons">
      {first.map((rule) => <RuleReason key={rule} rule={rule} holds={holding.has(rule)} findings={findings} />)}
      <NeverReason pair={pair} findings={findings} />
      {others.length > 0 && (
        <details>
          <summary>{others.length === 1 ? "One rule that does" : `${others.length} ${first.length > 0 ? "other " : ""}rules that do`} not hold</summary>
          {others.map((rule) => <RuleReason key={rule} rule={rule} holds={false} findings={findings} />)}
        </details>
      )}
    </div>
  );
}

function RuleReason(props: { rule: number; holds: boolean; findings: FindingOf }) {
  const { facts } = useReport();
  const ways = facts.rules.list[props.rule]?.ways ?? [];
  return (
    <section class="reason">
      <h4>
        <Tag tone={props.holds ? "yes" : "no"}>{props.holds ? "✓ holds" : "✗ does not hold"}</Tag> {ruleName(facts, props.rule)}
      </h4>
      <Ways ways={ways} findings={props.findings} />
    </section>
  );
}

function NeverReason({ pair, findings }: { pair: number; findings: FindingOf }) {
  const { facts, tables } = useReport();
  const never = facts.rules.nevers[tables.pairs.never[pair] ?? -1];
  if (never === undefined) return null;
  return (
    <section class="reason">
      <h4><Tag tone="other">forbids the pair</Tag> never: {never.name}</h4>
      <Ways ways={never.ways} findings={findings} />
    </section>
  );
}

function Ways({ ways, findings }: { ways: number[][]; findings: FindingOf }) {
  return (
    <>
      {ways.map((way, i) => (
        <div key={i}>
          {ways.length > 1 && <p class="way">{i === 0 ? "Either" : "or"}</p>}
          <ul class="conditions">{way.map((condition) => <ConditionReason key={condition} condition={condition} row={findings.get(condition)} />)}</ul>
        </div>
      ))}
    </>
  );
}

function ConditionReason({ condition, row }: { condition: number; row: number | undefined }) {
  const { facts, tables } = useReport();
  const known = facts.conditions[condition];
  const verdict = row === undefined ? undefined : VERDICTS[tables.findings.verdict[row] ?? 0];
  return (
    <li class="condition">
      <span class={`verdict ${verdict?.tone ?? "open"}`} role="img" aria-label={verdict?.word ?? "not looked at"} title={verdict?.word ?? "not looked at"}>{verdict?.sign ?? "–"}</span>
      <div>
        <Code>{known?.text ?? ""}</Code>
        {row !== undefined && <Compared row={row} />}
        {row !== undefined && known !== undefined && <Measured row={row} condition={known} facts={facts} />}
      </div>
    </li>
  );
}

function Compared({ row }: { row: number }) {
  const { findings } = useReport().tables;
  const left = findings.left(row);
  const right = findings.right(row);
  const pieces = compared(left, right);
  if (left === right && left !== null) return <div class="compared"><span><Value text={left} /> <span class="hint">both</span></span></div>;
  return (
    <div class="compared">
      <span>{pieces === null ? <Value text={left} /> : <Marked pieces={pieces.left} />}</span>
      <span>{pieces === null ? <Value text={right} /> : <Marked pieces={pieces.right} />}</span>
      {findings.parts(row) !== null && <span class="hint">{findings.parts(row)}</span>}
    </div>
  );
}

/** The measured value beside its threshold, as a sentence and on a scale. */
function Measured({ row, condition }: { row: number; condition: Condition; facts: ReportFacts }) {
  const { findings } = useReport().tables;
  const measured = findings.measured[row] ?? NaN;
  const missed = findings.missedBy[row] ?? NaN;
  if (!Number.isFinite(measured)) return null;
  const { threshold } = condition;
  const unit = threshold !== null && !threshold.whole && threshold.value <= 1 && measured <= 1 && measured >= 0;
  return (
    <div class="measured">
      {threshold !== null && unit && <Scale measured={measured} threshold={threshold.value} />}
      <span>
        measured <b>{number(measured)}</b>
        {Number.isFinite(missed) && missed !== 0 && <>, missed by {number(missed)}</>}
      </span>
    </div>
  );
}

function Scale({ measured, threshold }: { measured: number; threshold: number }) {
  return (
    <span class="scale" aria-hidden="true">
      <span class="scale-fill" style={{ inlineSize: `${measured * 100}%` }} />
      <span class="scale-mark" style={{ insetInlineStart: `${threshold * 100}%` }} />
    </span>
  );
}
