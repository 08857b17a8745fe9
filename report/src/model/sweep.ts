/** A sweep as the page shows it: how its rows are judged, which figures are best, and the lines over its thresholds. */
import type { Sweep, SweepRow } from "../data";

/** What rows are judged by, the same for all. */
export type SweepJudge = "truth" | "labels" | "change";

export function judgeOf({ rows }: Sweep): SweepJudge {
  if (rows.some((row) => row.byTruth !== null)) return "truth";
  return rows.some((row) => row.byLabels !== null) ? "labels" : "change";
}

/** The rows whose figure is the highest of all; none where no figure is known. */
export function bestRows(rows: SweepRow[], figure: (row: SweepRow) => number | null): Set<number> {
  const figures = rows.map(figure);
  const most = figures.reduce<number | null>((best, value) => (value === null || (best !== null && best >= value) ? best : value), null);
  return new Set(figures.flatMap((value, i) => (value !== null && value === most ? [i] : [])));
}

/** What the lines show of a row: F1 of its clusters or, where nobody knows what is true, how little they have changed. */
export function lineFigure(row: SweepRow, judge: SweepJudge): number | null {
  if (judge === "truth") return row.byTruth?.f1 ?? null;
  return judge === "labels" ? (row.byLabels?.f1?.estimate ?? null) : row.agreement;
}

export interface SweepLine {
  name: string;
  points: { threshold: number; value: number | null }[];
}

/** A line for each method that has a figure at two thresholds or more: one alone is no line. */
export function sweepLines(rows: SweepRow[], judge: SweepJudge): SweepLine[] {
  const lines = new Map<string, SweepLine>();
  for (const row of rows) {
    if (row.threshold === null) continue;
    const line = lines.get(row.method) ?? { name: row.method, points: [] };
    line.points.push({ threshold: row.threshold, value: lineFigure(row, judge) });
    lines.set(row.method, line);
  }
  return [...lines.values()].filter(({ points }) => points.filter(({ value }) => value !== null).length > 1);
}
