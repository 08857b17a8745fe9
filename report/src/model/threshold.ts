/** What another threshold would give, from the bins around the one that the run had. */
import type { Threshold, ThresholdFacts } from "../data";

export type Effect = { kind: "same" } | { kind: "stricter"; pairs: number; lost: number } | { kind: "looser"; pairs: number };

/** Borders that differ by less are the same: they are computed in floating point. */
const SAME = 1e-9;

/** The thresholds that can be tried: the borders of the bins, and the threshold itself; ascending. */
export function thresholdPlaces(facts: ThresholdFacts, threshold: Threshold): number[] {
  const bins = [...facts.above, ...(facts.below ?? [])];
  const sorted = [threshold.value, ...bins.map((bin) => borderOf(bin, threshold))].sort((a, b) => a - b);
  const places = sorted.filter((value, i) => i === 0 || value - (sorted[i - 1] ?? 0) > SAME);
  return places.map((value) => (Math.abs(value - threshold.value) <= SAME ? threshold.value : value));
}

/** The strictest threshold that all values of a bin satisfy. */
function borderOf(bin: { from: number; to: number }, { direction, inclusive, whole }: Threshold): number {
  if (direction === "atLeast") return whole && !inclusive ? bin.from - 1 : bin.from;
  return whole && inclusive ? bin.from : bin.to;
}

/** Where a threshold stands among bins: of whole numbers, those behind "at most 2" begin at 3. */
export function edgeOf(threshold: Threshold, value: number): number {
  return threshold.whole && (threshold.direction === "atMost") === threshold.inclusive ? value + 1 : value;
}

/** "at least", "more than", "at most", "less than". */
export function wordsOf({ direction, inclusive }: Threshold): string {
  if (direction === "atLeast") return inclusive ? "at least" : "more than";
  return inclusive ? "at most" : "less than";
}

export function effectOf(facts: ThresholdFacts, threshold: Threshold, value: number): Effect {
  if (value === threshold.value) return { kind: "same" };
  const atLeast = threshold.direction === "atLeast";
  const stricter = atLeast ? value > threshold.value : value < threshold.value;
  if (!stricter) {
    const gained = (facts.below ?? []).filter((bin) => satisfies(bin, threshold, value));
    return { kind: "looser", pairs: sum(gained.map((bin) => bin.pairs)) };
  }
  const gone = facts.above.filter((bin) => !satisfies(bin, threshold, value));
  return { kind: "stricter", pairs: sum(gone.map((bin) => bin.pairs)), lost: sum(gone.map((bin) => bin.lost)) };
}

/** Whether the values of a bin satisfy a threshold at one of the borders. */
function satisfies(bin: { from: number; to: number }, threshold: Threshold, value: number): boolean {
  const border = borderOf(bin, threshold);
  return threshold.direction === "atLeast" ? border >= value - SAME : border <= value + SAME;
}

function sum(values: number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
