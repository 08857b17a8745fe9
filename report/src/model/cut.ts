/** Pairs with records of other clusters, in words. */
import { scoreText, type Report } from "./report";

const CAUSES: Record<string, string> = { method: "the method", decided: "a decision", never: "a never rule", limit: "a limit", bridge: "the split at bridges" };

/** What has cut a pair. */
export function cutBy(cause: string): string {
  return CAUSES[cause] ?? cause;
}

/** A pair as one line: the other record, its cluster, the score, and what has cut it. */
export function cutLine(report: Report, row: number): string {
  const { cut } = report.tables;
  const score = cut.score[row] ?? NaN;
  const scored = Number.isFinite(score) ? ` (${scoreText(report, score)})` : "";
  return `${cut.otherId(row)} of cluster ${cut.otherCluster(row)}${scored}, cut by ${cutBy(cut.cause(row))}`;
}
