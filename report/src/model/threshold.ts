/** What another threshold would give, from the bins around the one that the run had. */
import type { Threshold, ThresholdFacts } from "../data";

export type Effect = { kind: "same" } | { kind: "stricter"; pairs: number; lost: number } | { kind: "looser"; pairs: number };

/** The thresholds that can be tried: the borders of the bins, and the threshold itself; ascending. */
export function thresholdPlaces(facts: ThresholdFacts, threshold: Threshold): number[] {
  const bins = [...facts.above, ...(facts.below ?? [])];
  const borders = bins.map((bin) => (threshold.direction === "atLeast" || threshold.whole ? bin.from : bin.to));
  return [...new Set([threshold.value, ...borders])].sort((a, b) => a - b);
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
  if (threshold.direction === "atLeast") return bin.from >= value;
  return threshold.whole ? bin.from <= value : bin.to <= value;
}

function sum(values: number[]): number {
  return values.reduce((all, value) => all + value, 0);
}
