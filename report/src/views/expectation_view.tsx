/** What a model expects of the pairs of the run, and whether its probabilities are true. */
import type { Evaluation, Expectation } from "../data";
import { count, counted, number, share, signed } from "../model/format";
import { range } from "../model/groups";
import { FigureBar, Panel } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";

/** Precision and recall that the model expects at thresholds from that of the run on. */
export function ExpectationPanel({ expected }: { expected: Expectation }) {
  const at = (row: number) => expected.thresholds[row];
  const rate = (value: number | null | undefined): string => (value === null || value === undefined ? "unknown" : value.toFixed(4));
  const columns: TableColumn[] = [
    { key: "probability", title: "From probability", end: true, cell: (row) => probability(at(row)?.probability ?? NaN) },
    { key: "weight", title: "Match weight", end: true, cell: (row) => signed(at(row)?.threshold ?? NaN) },
    { key: "pairs", title: "Pairs", end: true, cell: (row) => count(at(row)?.pairs ?? 0) },
    { key: "true", title: "Matches among them", end: true, help: "The sum of their probabilities", cell: (row) => count(at(row)?.truePairs ?? 0) },
    { key: "precision", title: "Precision", end: true, cell: (row) => rate(at(row)?.precision) },
    { key: "recall", title: "Recall", end: true, cell: (row) => rate(at(row)?.recall) },
  ];
  return (
    <Panel title="What the model expects" says={`The model's own opinion of the pairs from a threshold on: a model that is wrong about pairs is wrong about itself, too. ${basisOf(expected)}`}>
      <Table name="What the model expects" rows={range(expected.thresholds.length)} columns={columns} />
    </Panel>
  );
}

/** What recall is of. */
function basisOf({ matches, byPrior, certain }: Expectation): string {
  const sure = certain === 0 ? "" : ` ${counted(certain, "pair")} of certain rules are among them.`;
  if (byPrior) return `Recall is of ${count(matches)} matches among all pairs, by the prior.${sure}`;
  return `Recall is of the ${count(matches)} matches among the pairs found, more than the prior allows: how many are missing is not known.${sure}`;
}

/** With as many digits as tell it from 1. */
function probability(value: number): string {
  return value > 0.9999 && value < 1 ? `1 − ${number(1 - value, 2)}` : number(value);
}

/** Pairs by their probability: how many of them the model expects to match, and how many do by the truth. */
export function ReliabilityPanel({ evaluation }: { evaluation: Evaluation }) {
  const at = (row: number) => evaluation.reliability[row];
  const part = (value: number | undefined, row: number): number => (value ?? 0) / Math.max(1, at(row)?.pairs ?? 0);
  const columns: TableColumn[] = [
    { key: "probability", title: "Match probability", width: "12rem", cell: (row) => `${number(at(row)?.from ?? NaN)} to ${number(at(row)?.to ?? NaN)}` },
    { key: "pairs", title: "Pairs", end: true, width: "7rem", cell: (row) => count(at(row)?.pairs ?? 0) },
    { key: "expected", title: "Expected to match", end: true, cell: (row) => <FigureBar text={share(part(at(row)?.expected, row))} share={part(at(row)?.expected, row)} tone="other" /> },
    { key: "true", title: "True", end: true, cell: (row) => <FigureBar text={share(part(at(row)?.both, row))} share={part(at(row)?.both, row)} /> },
  ];
  return (
    <Panel title="Whether the probabilities are true" says="Of pairs with a match probability of about 0.95, about 95 of 100 should be true. Far fewer: the model is too sure, often because comparisons depend on each other.">
      <Table name="Pairs by match probability, expected and true" rows={range(evaluation.reliability.length)} columns={columns} />
    </Panel>
  );
}
