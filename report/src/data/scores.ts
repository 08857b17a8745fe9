/** Scores, and what the model that makes them says. */

export interface Scores {
  /** "weight": comparisons with levels and a model, scores are match weights in bits. "average": comparisons with similarities
   *  and weights, scores are between 0 and 1. "outside": scores that another matcher has given. */
  kind: "weight" | "average" | "outside";
  /** What a score is: "match weight (bits)" or "score". */
  unit: string;
  /** The least score of a pair that is kept, in that unit. */
  threshold: number;
  /** The match_probability that belongs to it; `null` unless `kind` is "weight". */
  thresholdProbability: number | null;
  /** The precision that the model was to expect of the pairs that are kept, where the threshold was found by that. */
  precision: number | null;
  /** What the model itself expects of these pairs, its own opinion; `null` where there is no model. */
  expected: Expectation | null;
  /** The probability that two random records match, and its weight in bits; `null` unless `kind` is "weight". */
  prior: number | null;
  priorWeight: number | null;
  /** Pairs that were scored, and those that were kept. */
  scored: number;
  kept: number;
  /** All pairs of the result by score, exactly: bins of equal width, ascending, empty ones included; at most 128. */
  histogram: { from: number; to: number; pairs: number }[];
  /** The comparisons, in order; empty for "outside". */
  comparisons: ComparisonFacts[];
  /** Pairs with the lowest scores, the lowest first: numbers of pairs; at most 100. */
  weakest: number[];
}

export interface ComparisonFacts {
  name: string;
  /** Of kind "weight": its levels, the first that holds counts, then "else", then "null". Of kind "average": empty. */
  levels: LevelFacts[];
  /** Of kind "average": what is measured, its share of all weights, and the least similarity that counts; else `null`. */
  similarity: { of: string; within: string | null; share: number; atLeast: number } | null;
  /** What rare values are worth; `null` where it has no term frequencies. */
  termFrequency: TermFrequencyFacts | null;
}

export interface LevelFacts {
  /** The condition; "else" or "null" for the last two. */
  text: string;
  /** Shares of this level among pairs that match and that do not; `null` for "null". */
  m: number | null;
  u: number | null;
  /** Where they are from: "counted", "sampled", "trained", "certain", "unseen", "default"; `null` where that is not known. */
  mFrom: string | null;
  uFrom: string | null;
  /** log2(m / u); 0 for "null". */
  weight: number;
  /** The standard error of the weight, and the matches with the level that m was learned from; `null` where that is not known. */
  weightError: number | null;
  mPairs: number | null;
  /** Explained pairs with this level, by match_key or not: an estimate of how many pairs of the result have it. */
  pairs: number;
}

export interface TermFrequencyFacts {
  /** The column. */
  column: string;
  /** The table that gives frequencies, by its path or its name; `null` where they are counted. */
  given: string | null;
  /** Values of the records that the table lacks: they add nothing. */
  lacking: number;
  /** Distinct values. */
  values: number;
  /** The most frequent values with the records that have them and what they add to the weight (negative: frequent values are
   *  worth less); at most 12. */
  frequent: { value: string; records: number; adds: number }[];
  /** What the rarest value adds: where frequencies are counted, one that a single record has. */
  rarestAdds: number;
  /** Values by what they add, in bits: bins of equal width; at most 40. */
  histogram: { from: number; to: number; values: number; records: number }[];
}

/** What a model expects of the pairs of a run. */
export interface Expectation {
  /** Matches among all pairs of records. */
  matches: number;
  /** Whether that is by the prior; else the pairs of the result have more than the prior allows. */
  byPrior: boolean;
  /** Pairs of certain rules, which are matches whatever their score. */
  certain: number;
  /** From the threshold of the run on, ascending: usual probabilities and whole bits. */
  thresholds: ExpectedThreshold[];
}

/** What a model expects of the pairs with at least this match weight. */
export interface ExpectedThreshold {
  threshold: number;
  probability: number;
  /** The pairs, without those of certain rules. */
  pairs: number;
  /** Those of them that match: the sum of their probabilities. */
  truePairs: number;
  /** `null` where there are no pairs. */
  precision: number | null;
  /** The share of all matches that are found; `null` where there are none. */
  recall: number | null;
}
