/** Thresholds and ways to make clusters of a made-up run, compared. */
import type { ShareEstimate, Sweep, SweepRow, Words } from "../../src/data";
import type { SweepJudge } from "../../src/model/sweep";

const METHODS = ["components", "one_to_one", "optimal", "average", "complete", "louvain", "bridges"];
const THRESHOLDS = [0.5, 0.6, 0.7, 0.8, 0.9, 0.95];

/** The higher the threshold, the smaller the clusters; each method is best at another one. */
function row(judge: SweepJudge, method: number, place: number): SweepRow {
  const f1 = 0.97 - 0.002 * method - 0.01 * Math.abs(place - (method % 4) - 1);
  const shares = { precision: 0.9 + 0.015 * place, recall: 0.99 - 0.02 * place, f1 };
  const around = (estimate: number): ShareEstimate => ({ estimate, low: estimate - 0.03, high: Math.min(1, estimate + 0.02) });
  return {
    method: METHODS[method] ?? "", threshold: THRESHOLDS[place] ?? null, pairs: 2300 - 90 * place, clusters: 1100 - 20 * place, records: 2260 - 60 * place,
    largest: method === 0 ? 40 - 6 * place : 4, cut: 12 * method, bridges: method === 0 ? 9 - place : 0, density: method === 0 ? 0.4 + 0.1 * place : 0.95, agreement: judge !== "change" || place === 0 ? null : 0.99 - 0.05 * place - 0.01 * method,
    byTruth: judge === "truth" ? { ...shares, pairF1: f1 - 0.01, bcubedF1: f1 + 0.005 } : null,
    byLabels: judge === "labels" ? { precision: around(shares.precision), recall: method === 0 ? null : around(shares.recall), f1: around(shares.f1) } : null,
  };
}

export function sweepFacts(judge: SweepJudge, scoredBy = "match_probability"): Sweep {
  const rows = METHODS.flatMap((_, method) => THRESHOLDS.map((_, place) => row(judge, method, place)));
  return { scoredBy, rows, best: judge === "truth" ? 1 : null };
}

export function sweepWords(judge: SweepJudge): Words["sweep"] {
  const best = judge === "truth" ? { says: "The best, components, as a rule file says it:", clusters: "[clusters]\nthreshold = 0.6\n" } : null;
  return { notes: "2,300 pairs of 2,400 records, scores in `match_probability`", best };
}
