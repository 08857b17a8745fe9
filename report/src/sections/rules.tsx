/** Rules: what each finds, which hold together, and what moving a threshold would do. */
import { count, number } from "../model/format";
import { range } from "../model/groups";
import { ruleName, useReport, type Report } from "../model/report";
import { isScoredAlone, neverNumbers, ruleNumbers } from "../model/rule_words";
import { addressOf, type Route } from "../route";
import { Code, FigureBar, Nothing, Panel, Section } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";
import { OverlapChart } from "../charts/overlap";
import { RuleView } from "../views/rule_view";
import { thresholdRow } from "../views/threshold_view";

export function RulesSection({ route }: { route: Route }) {
  const report = useReport();
  const rule = route.items[0];
  if (rule !== undefined && report.facts.rules.list[rule] !== undefined) return <RuleView rule={rule} />;
  const { rules } = report.facts;
  const precise = report.facts.overview.evaluation === null ? "" : ` Precision: ${precisionOf(report)}.`;
  return (
    <Section title="Rules" says="What each rule finds by itself, what it adds to the rules before it, and how close to its thresholds.">
      <Panel title="Pairs by rule" says={`${ruleNumbers(rules)} A rule leads to its weakest pairs.${precise}`}>
        <Table name="Pairs by rule" rows={range(rules.list.length)} columns={ruleColumns(report)} href={(row) => addressOf("rules", [row])} />
      </Panel>
      {rules.nevers.length > 0 && (
        <Panel title="Never" says={neverNumbers(rules)}>
          <Table name="Pairs removed by never" rows={range(rules.nevers.length)} columns={neverColumns(report)} />
        </Panel>
      )}
      <Overlaps report={report} />
      <Thresholds report={report} />
    </Section>
  );
}

function ruleColumns({ facts }: Report): TableColumn[] {
  const { list, beforeScores } = facts.rules;
  const most = Math.max(1, ...list.map((rule) => Math.max(rule.alone, rule.cumulative)));
  const figure = (key: "alone" | "marginal" | "cumulative" | "pairs", title: string, help: string): TableColumn => ({
    key, title, help, end: true, width: "10rem", largestFirst: true,
    sort: (row) => list[row]?.[key] ?? 0,
    cell: (row) => <FigureBar text={count(list[row]?.[key] ?? 0)} share={(list[row]?.[key] ?? 0) / most} tone={key === "marginal" ? "other" : "main"} />,
  });
  const truth = facts.overview.evaluation?.rules;
  const precision = (row: number): number => {
    const found = truth?.find((entry) => entry.rule === row);
    return found === undefined || found.found === 0 ? NaN : found.both / found.found;
  };
  return [
    { key: "number", title: "#", width: "3rem", end: true, sort: (row) => row, cell: (row) => <span class="rule-number">{row + 1}</span> },
    { key: "name", title: "Rule", sort: (row) => ruleName(facts, row), cell: (row) => <a href={addressOf("rules", [row])}>{ruleName(facts, row)}</a> },
    ...(isScoredAlone(facts.rules) ? [] : [
      figure("alone", "Pairs alone", "Pairs that the rule gives by itself"),
      figure("marginal", "Marginal", "Pairs that no rule before it gives"),
      figure("cumulative", "Cumulative", "Pairs of all rules up to it"),
    ]),
    ...(beforeScores || isScoredAlone(facts.rules) ? [figure("pairs", "In the result", "Pairs of the result that have it as their match_key")] : []),
    ...(truth === undefined ? [] : [{ key: "precision", title: "Precision", end: true, width: "7rem", help: `Precision: ${precisionOf({ facts })}`, sort: precision, cell: (row: number) => (Number.isNaN(precision(row)) ? "–" : precision(row).toFixed(4)) }]),
  ];
}

/** What a precision is of. */
function precisionOf({ facts }: Pick<Report, "facts">): string {
  return facts.rules.beforeScores ? "of its pairs in the result, those that are true" : "of its marginal pairs, those that are true";
}

function neverColumns({ facts }: Report): TableColumn[] {
  const { nevers, beforeScores } = facts.rules;
  return [
    { key: "name", title: "Never", width: "14rem", cell: (row) => nevers[row]?.name },
    { key: "when", title: "Condition", cell: (row) => <Code>{nevers[row]?.when ?? ""}</Code> },
    { key: "removed", title: beforeScores ? "Removed before scores" : "Pairs removed", end: true, width: beforeScores ? "13rem" : "9rem", sort: (row) => nevers[row]?.removed ?? 0, cell: (row) => count(nevers[row]?.removed ?? 0) },
  ];
}

function Overlaps({ report }: { report: Report }) {
  const { rules, words, sampling } = report.facts;
  if (rules.list.length < 2) return null;
  const how = rules.overlapsExact ? "" : ` Estimated from ${count(sampling.pairs.shown)} of ${count(sampling.pairs.all)} pairs.`;
  return (
    <Panel title="Rules that hold together" says={`Each row is a set of rules and the pairs for which exactly these hold; a row leads to its pairs.${how}`}>
      {rules.overlaps.length === 0
        ? <Nothing>{words.withoutValues ?? "No pairs were found by rules."}</Nothing>
        : <OverlapChart rules={rules} />}
    </Panel>
  );
}

function Thresholds({ report }: { report: Report }) {
  const { thresholds, near } = report.facts.rules;
  if (thresholds.length === 0) return null;
  const rows = thresholds.map((threshold) => thresholdRow(report, threshold));
  const columns: TableColumn[] = [
    { key: "rule", title: "#", width: "3rem", end: true, sort: (row) => rows[row]?.rule ?? 0, cell: (row) => <span class="rule-number">{(rows[row]?.rule ?? 0) + 1}</span> },
    { key: "condition", title: "Threshold", cell: (row) => <a href={addressOf("rules", [rows[row]?.rule ?? 0], { threshold: String(row) })}><Code>{rows[row]?.text ?? ""}</Code></a> },
    { key: "above", title: "A little above", help: "Pairs in the step next to the threshold", end: true, width: "9rem", largestFirst: true, sort: (row) => rows[row]?.above ?? 0, cell: (row) => rows[row]?.aboveText },
    { key: "lost", title: "Of these lost", help: "Those that no other rule gives", end: true, width: "9rem", largestFirst: true, sort: (row) => rows[row]?.lost ?? 0, cell: (row) => rows[row]?.lostText },
    { key: "near", title: "A little below", help: "Near pairs: they miss this threshold alone", end: true, width: "9rem", largestFirst: true, sort: (row) => rows[row]?.near ?? NaN, cell: (row) => rows[row]?.nearText },
  ];
  const below = near === null ? "The run did not look below thresholds: run it with --near to see what a looser one would add." : `Below: what one threshold looser by ${number(near.amount)} (counts by 1) would add; ${count(near.pairs)} pairs in all.`;
  return (
    <Panel title="Thresholds" says={`Pairs a little above each threshold would be lost by a stricter one, unless another rule finds them. ${below}`}>
      <Table name="Thresholds" rows={range(rows.length)} columns={columns} href={(row) => addressOf("rules", [rows[row]?.rule ?? 0], { threshold: String(row) })} />
    </Panel>
  );
}

