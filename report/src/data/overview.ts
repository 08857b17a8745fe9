/** The run as a whole, and how good its result is. */

export interface Overview {
  inputs: InputFacts[];
  /** Records of all inputs. */
  records: number;
  /** All pairs of records that there are. */
  possiblePairs: number;
  /** Pairs that were looked at. */
  candidates: number;
  pairs: number;
  /** Clusters, single records included. */
  clusters: number;
  clustersOfTwoOrMore: number;
  /** Records less clusters: the records that would go if one of each cluster stayed. */
  duplicates: number;
  /** The largest cluster; `null` without records. */
  largestCluster: { id: string; records: number; averageOfOthers: number; outOfProportion: boolean } | null;
  /** Seconds of the run, without the report. */
  seconds: number;
  threads: number;
  /** "cpu", "cuda" or "emulated". */
  device: string;
  /** The most memory that the process took during the run; `null` where that is not known. */
  peakMemoryBytes: number | null;
  /** The version of the program that made the run. */
  version: string;
  /** The files of the results: "pairs.parquet", ... Empty for a run in memory. */
  files: { name: string; bytes: number }[];
  /** How good the result is; `null` without a truth. */
  evaluation: Evaluation | null;
}

export interface InputFacts {
  name: string;
  files: { path: string; bytes: number | null; modified: string | null }[];
  records: number;
  /** Records that were left out because they have no id. */
  skipped: number;
  /** The 128-bit XXH3 hash of the columns that the run read, as 32 hexadecimal digits; empty where it is not known. */
  hash: string;
  /** The column of the ids; "row" where rows are numbered. */
  idColumn: string;
}

/** A result compared with the truth. */
export interface Evaluation {
  /** Pairs of the result, of the truth, and of both. */
  found: number;
  truePairs: number;
  both: number;
  /** `null` where nothing was found, or nothing is true. */
  precision: number | null;
  recall: number | null;
  f1: number | null;
  /** By rule, in the order of `rules.list`: pairs that have it as their first rule, and those of them that are true. */
  rules: { rule: number; found: number; both: number }[];
  /** Over the threshold on the score, the highest first; empty where pairs have no scores. At most 400 points: the first, the
   *  last, and points between them at about equal steps of recall. */
  thresholds: ThresholdPoint[];
  /** Whether match probabilities are true, by probability, the least first; empty where pairs have none. */
  reliability: ReliabilityBin[];
}

/** Pairs with a match probability from `from` to below `to`; 1 is in the last. */
export interface ReliabilityBin {
  from: number;
  to: number;
  pairs: number;
  /** Those of them that match, as the model expects: the sum of their probabilities. */
  expected: number;
  /** Those of them that are true. */
  both: number;
}

/** The pairs with at least this score. */
export interface ThresholdPoint {
  /** A match weight in bits, or a score: as `scores.unit` says. */
  threshold: number;
  found: number;
  both: number;
}
