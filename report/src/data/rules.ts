/** Rules, what of their pairs is near a threshold, and which hold together. */

/** A condition of a rule. */
export interface Condition {
  /** As rules have it: "jaro_winkler(l.name, r.name) >= 0.88", "not (l.a = r.a)". */
  text: string;
  /** The threshold, where it compares a measure with a number; else `null`. */
  threshold: Threshold | null;
}

export interface Threshold {
  /** What is measured: "jaro_winkler(l.name, r.name)". */
  measure: string;
  /** The number it is compared with. */
  value: number;
  /** Whether larger values satisfy the condition (a similarity at least 0.9), or smaller ones (at most 2 edits). Of a
   *  condition under `not`, what satisfies the condition as it stands. */
  direction: "atLeast" | "atMost";
  /** Whether a value equal to the threshold satisfies it. */
  inclusive: boolean;
  /** Whether values are whole numbers (edits, days). */
  whole: boolean;
  /** How far `--near` would loosen it; `null` where it cannot. */
  step: number | null;
}

export interface Rules {
  /** Certain rules first, and otherwise in the order of the rule file. A run that finds its pairs by score alone has one rule, "score", which nobody wrote. */
  list: RuleFacts[];
  /** Whether the numbers of rules and of `nevers` are of pairs before their scores are known. `pairs` of a rule, and all numbers of a
   *  rule that nobody wrote, are of the result. */
  beforeScores: boolean;
  nevers: NeverFacts[];
  /** Which rules hold together, estimated unless `overlapsExact`: the most frequent sets first, at most 64. Empty for scores
   *  without rules and where `header.hasValues` is false. */
  overlaps: Overlap[];
  /** Whether every pair was explained, so that numbers of overlaps are exact. */
  overlapsExact: boolean;
  /** Pairs (estimated) in sets that are not listed. */
  otherOverlaps: number;
  /** What near pairs were looked for; `null` where the run did not. */
  near: NearFacts | null;
  /** One for each condition with a threshold in each rule, in the order of the rules. */
  thresholds: ThresholdFacts[];
}

export interface RuleFacts {
  name: string;
  /** Whether somebody named it; else its name is "rule_1", and its condition says more. */
  named: boolean;
  /** Whether nobody wrote it: it stands for the score. */
  made: boolean;
  /** Its condition as it is written, line breaks included. */
  when: string;
  /** Pairs it gives by itself, whatever other rules give. Before scores, where `beforeScores` says so, as are the next two. */
  alone: number;
  /** Pairs that no rule before it gives: those with this match_key. */
  marginal: number;
  /** Pairs of all rules up to it. */
  cumulative: number;
  /** Pairs of the result that have it as their match_key. Equal to `marginal` unless scores or certain rules decide. */
  pairs: number;
  /** Its pairs that were explained. */
  explained: number;
  /** The ways in which it can hold: it does where all conditions of one way do. Numbers of conditions. */
  ways: number[][];
  /** Examples: numbers of pairs, the weakest first (see `pairs.slack` and, with scores, `pairs.score`). At most 100. */
  examples: number[];
}

export interface NeverFacts {
  name: string;
  when: string;
  /** Pairs that a rule gives and that it takes away. Before scores, where `beforeScores` says so. */
  removed: number;
  ways: number[][];
}

/** Pairs for which exactly these rules hold. */
export interface Overlap {
  /** Numbers of rules, ascending. */
  rules: number[];
  /** Estimated unless `overlapsExact`. */
  pairs: number;
}

export interface NearFacts {
  /** By how much similarities were loosened. Counts and whole-number bounds by 1. */
  amount: number;
  /** Near pairs in all. */
  pairs: number;
  /** By rule and condition. */
  conditions: { rule: number; condition: number | null; looser: string; pairs: number }[];
}

/** A threshold of a rule: what pairs are just above it, and what moving it would do. */
export interface ThresholdFacts {
  rule: number;
  condition: number;
  /** The pairs that the rule gives (alone, not only those it owns) by their measured value, from the threshold on to the safe
   *  side. Estimated unless `exact`. Pairs whose value is not known (they satisfy the rule in another way) are in no bin. */
  above: ThresholdBin[];
  /** Near pairs that miss this threshold alone, by their measured value, from the threshold on to the other side. `null` where
   *  the run looked for no near pairs or this threshold cannot be loosened. Estimated unless `belowExact`. */
  below: { from: number; to: number; pairs: number }[] | null;
  /** Near pairs that belong to this threshold, exactly; `null` as before. */
  near: number | null;
  exact: boolean;
  belowExact: boolean;
  /** Examples: pairs of this rule, the nearest to the threshold first; at most 20 numbers of pairs. */
  examples: number[];
  /** Near pairs of this threshold, the nearest first; at most 20 numbers of pairs. */
  misses: number[];
}

/** Pairs with a measured value in [from, to); the bin that touches the best value includes it. Bins are in ascending order of
 *  `from` whatever the direction is. Of whole numbers, `from` is the number and `to` the next one. */
export interface ThresholdBin {
  from: number;
  to: number;
  pairs: number;
  /** Those of them that no other rule and no other way gives: they would be lost if the threshold excluded the bin. */
  lost: number;
}
