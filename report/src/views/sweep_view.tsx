/** Thresholds and ways to make clusters, compared: a row of the table for each, and lines over the thresholds. */
import { useMemo } from "preact/hooks";
import { LineLegend, Lines, type LinePoint } from "../charts/lines";
import type { ShareEstimate, Sweep, SweepRow, Words } from "../data";
import { count, number, shorten } from "../model/format";
import { range } from "../model/groups";
import { bestRows, judgeOf, lineFigure, sweepLines, type SweepJudge } from "../model/sweep";
import { Panel, Picture, Tag } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";

const SAYS: Record<SweepJudge, string> = {
  truth: "How good clusters are by the truth. Pair F1 is of the pairs that reach the threshold, the other shares are of clusters. The best of a column is underlined; chosen on the records that it is measured on, it looks a little better than it is.",
  labels: "How good clusters are, estimated from labelled pairs, with intervals of 95 %. The best of a column is underlined; where intervals overlap, the labels do not say which row is better.",
  change: "How clusters change. Agreement is the adjusted Rand index with the clusters of the next lower threshold: where it is low, chains break there, and some of these clusters are worth a look before you choose.",
};

const LINES: Record<SweepJudge, string> = { truth: "F1 of clusters", labels: "Estimated F1 of clusters", change: "Agreement with the next lower threshold" };

export function SweepPanel({ sweep, words }: { sweep: Sweep; words: Words["sweep"] }) {
  const judge = judgeOf(sweep);
  const best = words?.best ?? null;
  return (
    <Panel title="Which threshold, which clusters" says={SAYS[judge]}>
      <SweepPicture sweep={sweep} judge={judge} />
      <SweepTable sweep={sweep} judge={judge} />
      {words !== null && <p class="hint">{words.notes}</p>}
      {best !== null && (
        <>
          <p>{best.says}</p>
          <pre class="rule-text" tabIndex={0}><code dir="ltr">{best.clusters.trim()}</code></pre>
        </>
      )}
    </Panel>
  );
}

/** The lines over the thresholds; nothing where no method has two of them. */
function SweepPicture({ sweep, judge }: { sweep: Sweep; judge: SweepJudge }) {
  const lines = useMemo(() => sweepLines(sweep.rows, judge), [sweep, judge]);
  if (lines.length === 0) return null;
  const row = sweep.best === null ? undefined : sweep.rows[sweep.best];
  const best: LinePoint | null = row === undefined || row.threshold === null ? null : { threshold: row.threshold, value: lineFigure(row, judge) };
  return (
    <>
      <p class="hint">{LINES[judge]} over the threshold{best === null ? "" : "; a ring marks the best"}. The table has all figures.</p>
      <Picture name={`${LINES[judge]} over the threshold, a line for each method`}>
        <Lines lines={lines} unit={`threshold: ${shorten(sweep.scoredBy ?? "score", CHARACTERS)}`} best={best} />
      </Picture>
      <LineLegend names={lines.map(({ name }) => name)} />
    </>
  );
}

function SweepTable({ sweep, judge }: { sweep: Sweep; judge: SweepJudge }) {
  const { rows, best } = sweep;
  const columns = useMemo(() => [methodColumn(rows, best), ...figuresOf(judge).map((figure) => figureColumn(rows, figure))], [rows, best, judge]);
  return <Table name="Thresholds and ways to make clusters" rows={useMemo(() => range(rows.length), [rows])} columns={columns} />;
}

function methodColumn(rows: SweepRow[], best: number | null): TableColumn {
  const method = (row: number): string => rows[row]?.method ?? "";
  return { key: "method", title: "Method", width: "11rem", sort: method, cell: (row) => <>{method(row)} {row === best && <Tag tone="yes">best F1</Tag>}</> };
}

/** A number of each row. */
interface Figure {
  key: string;
  title: string;
  value: (row: SweepRow) => number | null;
  text: (row: SweepRow) => string;
  /** A CSS width: many columns are to fit beside each other. */
  width: string;
  /** Whether the highest is the best. */
  marksBest?: boolean;
}

const NARROW = "6rem";
const INTERVAL = "12rem";
/** Of the name of a column beside the picture. */
const CHARACTERS = 30;

function figureColumn(rows: SweepRow[], { key, title, width, value, text, marksBest }: Figure): TableColumn {
  const best = marksBest === true ? bestRows(rows, value) : new Set<number>();
  const shown = rows.map((row) => ({ value: value(row) ?? NaN, text: text(row) }));
  return {
    key, title, width, end: true, largestFirst: key !== "threshold", sort: (row) => shown[row]?.value ?? NaN,
    cell: (row) => (best.has(row) ? <b class="best-figure">{shown[row]?.text}<span class="for-readers">, the best</span></b> : shown[row]?.text),
  };
}

function figuresOf(judge: SweepJudge): Figure[] {
  const threshold: Figure = { key: "threshold", title: "Threshold", width: "7rem", value: (row) => row.threshold, text: (row) => (row.threshold === null ? "–" : number(row.threshold, 6)) };
  const counted = (key: "pairs" | "clusters" | "records" | "largest" | "cut" | "bridges", title: string): Figure => ({ key, title, width: NARROW, value: (row) => row[key], text: (row) => count(row[key]) });
  const sizes = [counted("clusters", "Clusters"), counted("largest", "Largest")];
  if (judge === "truth") {
    const known = (key: "pairF1" | "precision" | "recall" | "f1" | "bcubedF1", title: string): Figure => ({ key, title, width: NARROW, marksBest: true, value: (row) => row.byTruth?.[key] ?? null, text: (row) => rate(row.byTruth?.[key] ?? null) });
    return [threshold, known("pairF1", "Pair F1"), known("precision", "Precision"), known("recall", "Recall"), known("f1", "F1"), known("bcubedF1", "B-cubed"), ...sizes];
  }
  if (judge === "labels") {
    const estimated = (key: "precision" | "recall" | "f1", title: string): Figure => ({ key, title, width: INTERVAL, marksBest: true, value: (row) => row.byLabels?.[key]?.estimate ?? null, text: (row) => interval(row.byLabels?.[key] ?? null) });
    return [threshold, estimated("precision", "Precision"), estimated("recall", "Recall"), estimated("f1", "F1"), ...sizes];
  }
  const share = (key: "density" | "agreement", title: string): Figure => ({ key, title, width: "7rem", value: (row) => row[key], text: (row) => (row[key] === null ? "–" : rate(row[key])) });
  return [threshold, counted("pairs", "Pairs"), counted("clusters", "Clusters"), counted("records", "Records"), counted("largest", "Largest"), counted("cut", "Cut"), counted("bridges", "Bridges"), share("density", "Density"), share("agreement", "Agreement")];
}

function rate(value: number | null): string {
  return value === null ? "unknown" : value.toFixed(4).replace("-", "−");
}

function interval(share: ShareEstimate | null): string {
  return share === null ? "unknown" : `${share.estimate.toFixed(3)} (${share.low.toFixed(2)} to ${share.high.toFixed(2)})`;
}
