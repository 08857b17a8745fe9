/**
 * What the tables of a report hold: records, clusters, pairs, and what was found out about them. `index.ts` has the rules
 * of reading that hold for facts and tables.
 *
 * `#tables` is a container of Arrow tables. All numbers little-endian: u32 count; then for each table u32 length of its name,
 * its name (UTF-8), u32 length of its content, its content, which is an Arrow IPC *stream* (schema, dictionaries, batches).
 */

/**
 * The tables by name, with the types of their columns. Columns of type "text" are Utf8 or, where values repeat,
 * Dictionary<Int32, Utf8>. "?" marks columns with nulls. All tables are always there; they may have no rows.
 */
export interface ReportTables {
  /**
   * The records that are in the report, in the order of the run (input by input, row by row).
   * Besides these, one text column "c0", "c1", ... for each of `facts.columns`: the value as text, null where it is missing or
   * the input has no such column. Numbers, dates and lists are as shown.
   */
  records: {
    /** The id. */
    id: "text";
    /** The number of its input in `overview.inputs`. */
    input: "u32";
    /** The number of its cluster; null where the cluster is not in `clusters` (a single record, or left out). */
    cluster: "u32?";
    /** The size of its cluster in the run, whether that is in the report or not. */
    cluster_size: "u32";
    /** Numbers of pairs of the run that it is in (its degree). */
    degree: "u32";
  };
  /** Clusters of two records or more that are in the report, all of whose records may or may not be there. */
  clusters: {
    /** Its cluster_id. */
    id: "text";
    /** Records in the run. */
    size: "u32";
    /** Those of them that are in `records`. */
    shown: "u32";
    /** Pairs in the run. */
    pairs: "u64";
    /** Those of them that are in `edges`. */
    edges: "u32";
    /** Pairs that it could have. Cohesion is pairs / possible. */
    possible: "u64";
    /** Bridges: pairs without which it falls apart; null where they were not looked for. */
    bridges: "u32?";
    /** The size of the smaller of the two parts of its worst bridge (the one with the largest such part); null without one. */
    smaller_part: "u32?";
    /** Pairs of the run between its records and those of other clusters, which were cut. */
    cut: "u32";
  };
  /** Pairs between records of these clusters that are both in `records`; sorted by cluster. */
  edges: {
    cluster: "u32";
    /** Numbers of records. */
    left: "u32";
    right: "u32";
    /** The rule that owns the pair (its match_key). */
    rule: "u32";
    /** Its score; null without scores. */
    score: "f64?";
    /** Whether the cluster falls apart without it. */
    bridge: "bool";
    /** If so, the size of the smaller of the two parts; else null. */
    smaller_part: "u32?";
    /** The number of the pair where it is explained; else null. */
    pair: "u32?";
  };
  /**
   * Pairs between two clusters, which were cut, of which a record is in `records`: once for each such record; sorted by cluster.
   * Of very many the first are here.
   */
  cut: {
    /** The cluster of the record; null where it is not in `clusters`. */
    cluster: "u32?";
    /** The number of the record. */
    record: "u32";
    /** The number of the other record; null where it is not in `records`. */
    other: "u32?";
    /** The id of the other record. */
    other_id: "text";
    /** The cluster_id of the other record. */
    other_cluster: "text";
    /** The rule that owns the pair. */
    rule: "u32";
    /** Its score; null without scores. */
    score: "f64?";
    /** What has cut it: "method", "max_size", "decided", "never", "one_to", "limit" or "bridge". */
    cause: "text";
  };
  /** Pairs that are explained. */
  pairs: {
    left: "u32";
    right: "u32";
    /** What it is: 0 a pair of the result; 1 a near pair of the run; 2 a near miss that the report has found; 3 two records of one cluster
     *  that are not a pair. */
    kind: "u8";
    /** The rule that owns it; of a near pair or a miss the rule that it nearly satisfies; null where there is none. */
    rule: "u32?";
    /** Of kinds 1 and 2: the condition that it misses. */
    condition: "u32?";
    /** Its score (unit as in `scores.unit`); null without. */
    score: "f64?";
    /** match_probability; null unless scores are weights. */
    probability: "f64?";
    /** How weak it is: the least distance of a measured value to its threshold in the owning rule, relative to the room there is:
     *  0 just reached, 1 could not be better. Of kinds 1 to 3 how far the missed threshold is, as a negative number of the same
     *  kind. Null where the rule has no threshold. */
    slack: "f64?";
    /** The rules that hold, as numbers with blanks between them: "0 3 4". */
    rules: "text";
    /** A `never` that forbids it; null where none does. */
    never: "u32?";
  };
  /** What each condition says of each explained pair; sorted by pair. */
  findings: {
    pair: "u32";
    condition: "u32";
    /** 0 not satisfied, 1 satisfied, 2 open, because a value is missing (which does not satisfy it either). */
    verdict: "u8";
    /** The measured value; null where there is none. */
    measured: "f64?";
    /** By how much the threshold was missed; null where it was not. */
    missed_by: "f64?";
    /** The values that were compared, of the left and the right record, as text; of a condition that reads several columns
     *  "name: x; city: y". Null where the value is missing. */
    left: "text?";
    right: "text?";
    /** Parts of a sum with their values: "jaro(l.a, r.a) = 0.93; ..."; null where there are none. */
    parts: "text?";
  };
  /** What each comparison adds to the score of each explained pair (the waterfall); sorted by pair. The prior is in
   *  `scores.priorWeight`; prior and all of these add up to `pairs.score`. */
  waterfall: {
    pair: "u32";
    comparison: "u32";
    /** The level in `comparisons[].levels`; null for similarities. */
    level: "u32?";
    /** What it adds: bits, or a part of the average. Without term frequency. */
    adds: "f64";
    /** What the frequency of the value adds; null where it has none. */
    term_frequency: "f64?";
    /** The similarity; null for levels and for missing values. */
    similarity: "f64?";
  };
}
