/** Clusters, and ways to make them, compared. */

export interface Clusters {
  /** By exact size, ascending: all sizes that occur up to 20, then ranges. Single records included. */
  sizes: { least: number; most: number; clusters: number; records: number }[];
  /** Clusters worth looking at: numbers of clusters, the most remarkable first; at most 24 each. A cluster may be in several. */
  largest: number[];
  /** Of three records or more, the smallest share of possible pairs that are pairs. */
  leastCohesive: number[];
  /** Two groups of two records or more (or, where there are none, a record and a group) joined by one pair alone. The largest
   *  smaller group first. */
  bridged: number[];
  /** Clusters (all of the run that were looked at) with at least one bridge that joins two groups of two records or more. */
  withBridge: number;
}

export interface Sweep {
  /** The column of the scores that thresholds are on; `null` where pairs have none. */
  scoredBy: string | null;
  /** Method by method, the lowest threshold first. All rows are judged in the same way: by the truth, by labels, or by neither. */
  rows: SweepRow[];
  /** The row whose clusters have the highest F1, the first of several; `null` without a truth. */
  best: number | null;
}

/** The clusters of one method at one threshold. */
export interface SweepRow {
  /** "components", "one_to_one", "optimal", "average", "complete", "louvain" or "bridges". */
  method: string;
  /** `null` where pairs have no scores. */
  threshold: number | null;
  /** Pairs that reach the threshold. */
  pairs: number;
  /** Clusters of two or more records, and the records in them. */
  clusters: number;
  records: number;
  /** Records of the largest cluster. */
  largest: number;
  /** Pairs between clusters. */
  cut: number;
  /** Pairs that alone hold two parts of two or more records together. */
  bridges: number;
  /** The share of every two records of one cluster that are a pair; `null` where all records are alone. */
  density: number | null;
  /** The adjusted Rand index with the clusters of the next lower threshold: 1 where nothing changes, below 0 for worse than chance.
   *  `null` for the lowest, and where the truth or labels are known. */
  agreement: number | null;
  byTruth: SweepScores | null;
  byLabels: SweepEstimates | null;
}

/** Shares by the truth; `null` where there is nothing to count. */
export interface SweepScores {
  /** F1 of the pairs that reach the threshold. */
  pairF1: number | null;
  /** Of every two records of one cluster. */
  precision: number | null;
  recall: number | null;
  f1: number | null;
  bcubedF1: number | null;
}

/** The same of clusters, estimated from labelled pairs; `null` where no label tells. */
export interface SweepEstimates {
  precision: ShareEstimate | null;
  recall: ShareEstimate | null;
  f1: ShareEstimate | null;
}

/** A share, and where it lies with 95 % confidence. */
export interface ShareEstimate {
  estimate: number;
  low: number;
  high: number;
}
