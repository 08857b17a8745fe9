/**
 * What a report holds: the contract between the page and the program that writes it.
 *
 * The HTML file has two blocks, each gzipped and then base64:
 *
 * - `#facts`: JSON, a {@link ReportFacts}. It is small: at most some hundred kB before gzip.
 * - `#tables`: a container of Arrow tables. All numbers little-endian: u32 count; then for each table u32 length of its name,
 *   its name (UTF-8), u32 length of its content, its content, which is an Arrow IPC *stream* (schema, dictionaries, batches).
 *
 * Rules of reading:
 *
 * - Every text may be hostile: it is a value of a record, a name of a column or of a rule as somebody wrote it. It may hold
 *   markup, control characters, right-to-left marks and thousands of characters. Values of records longer than
 *   `sampling.valueCharacters` are cut and end in "…".
 * - "Number of a record" is the row of the table `records`; of a pair the row of `pairs`; of a rule the place in `rules.list`;
 *   of a condition the place in `conditions`; of a cluster the row of `clusters`; of a column the place in `columns`;
 *   of a comparison the place in `scores.comparisons`. All from 0 on.
 * - A field that is `null` is known not to be there; the doc comment says when. There are no optional fields (`?`).
 * - Counts are exact unless the doc comment says "estimated". What is estimated is from the sample that `sampling` describes,
 *   and is a number with a fraction: round it for readers and say "about".
 * - Shares are between 0 and 1. Times are seconds. Sizes are bytes.
 * - Ids, values of masked columns and everything made of them are replaced by masks ("#3f9a1c02b7d1"): equal values have equal
 *   masks. The page needs to do nothing about it, except to say so.
 */

// ---------------------------------------------------------------------------------------------------------------- facts

/** Everything but the tables. */
export interface ReportFacts {
  /** Version of this format: 1. A page refuses another number with a sentence. */
  format: 1;
  /** Version of the program that wrote the report, such as "0.1.0". */
  program: string;
  header: Header;
  /** How the report was bounded; every sentence of the page about samples comes from here. */
  sampling: Sampling;
  overview: Overview;
  /** The columns of the table `records`, in the order in which they are shown. Empty where the inputs could not be read. */
  columns: RecordColumn[];
  /** All conditions of rules and of `never`, each once. Conditions of comparisons are not among them. */
  conditions: Condition[];
  rules: Rules;
  /** Scores; `null` where the run has none. */
  scores: Scores | null;
  clusters: Clusters;
  data: Data;
  plan: Plan;
  search: Search;
  /** Sentences that the program makes of typed facts, in the words that the terminal has for them. */
  words: Words;
}

/** What stands above everything. */
export interface Header {
  /** A title: the names of the inputs, such as "people" or "dblp and acm". */
  title: string;
  /** "dedupe_only", "link_only" or "link_and_dedupe". */
  linkType: LinkType;
  /** When the run began, in UTC: "2026-01-31T12:00:00Z". Empty where that is not known. */
  started: string;
  /** The folder of the results, as it was given; empty where there is none (a run in memory). */
  folder: string;
  /** The command that started the run, word by word; empty where a program started it. */
  command: string[];
  /** The names of the columns whose values are in this report as they are. Whoever gets the report gets these. */
  shownColumns: string[];
  /** Those of them that seem to hold personal data, by their names and values: names, addresses, dates of birth, mail, phone.
   *  A guess, to be shown as one: "seem to hold personal data". */
  personalColumns: string[];
  /** The names of the columns whose values are masked, and those of derived columns that are masked because they read one. */
  maskedColumns: string[];
  /** Whether ids are masked, too (the column of the ids is among the masked ones). */
  idsMasked: boolean;
  /** Whether the inputs could be read again. Where not, `columns` is empty, the table `records` has ids alone, `pairs` has no
   *  findings, and examples are pairs of ids; `words.withoutValues` says why. */
  hasValues: boolean;
}

export type LinkType = "dedupe_only" | "link_only" | "link_and_dedupe";

/** What was left out, and how the rest was chosen. The same folder and options always give the same bytes. */
export interface Sampling {
  /** The size that the whole file may have. */
  budgetBytes: number;
  /** The seed of the samples. */
  seed: number;
  /** Records of the run, and how many of them are in the report. */
  records: Part;
  /** Clusters of two records or more of the run, and how many of them are in the report with all their records. */
  clusters: Part;
  /** Pairs of the run, and how many of them were looked at condition by condition ("explained"). Estimates are from these. */
  pairs: Part;
  /** Near pairs of the run, and how many of them were explained; `null` where the run did not look for them. */
  near: Part | null;
  /** Bridges were looked for in clusters of three records or more; this many of all of these. */
  bridges: Part;
  /** Values of records are cut to this many characters. */
  valueCharacters: number;
}

/** Some of all. */
export interface Part {
  all: number;
  shown: number;
}

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

/** A column of the table `records`. */
export interface RecordColumn {
  name: string;
  /** The name of its column in the table `records`: "c0", "c1", ... */
  key: string;
  /** Whether rules compute it, by `derive`. */
  derived: boolean;
  /** The expression of a derived column; `null` for others, and where inputs have different ones. */
  expression: string | null;
  masked: boolean;
  /** Whether it seems to hold personal data. */
  personal: boolean;
  /** Whether a rule, a `never` or a comparison reads it, itself or through derived columns. */
  used: boolean;
}

// ---------------------------------------------------------------------------------------------------------------- rules

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

/** Pairs with a measured value in [from, to); the bin that touches the best value includes it. Bins are in ascending order of
 *  `from` whatever the direction is. Of whole numbers, `from` is the number and `to` the next one. */
export interface ThresholdBin {
  from: number;
  to: number;
  pairs: number;
  /** Those of them that no other rule and no other way gives: they would be lost if the threshold excluded the bin. */
  lost: number;
}

// --------------------------------------------------------------------------------------------------------------- scores

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

// ------------------------------------------------------------------------------------------------------------- clusters

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

// ----------------------------------------------------------------------------------------------------------------- data

export interface Data {
  /** By input and column, in the order of the inputs and of their columns, then derived columns and expressions that rules
   *  read. */
  columns: ColumnFacts[];
  /** Values on which records are joined, those with the most candidates first; at most 40. */
  heavyKeys: HeavyKey[];
}

export interface ColumnFacts {
  /** The number of the input in `overview.inputs`. */
  input: number;
  /** The name of a column, or an expression such as "substr(zip, 1, 3)". */
  name: string;
  /** "column" of the input; "derived"; or "expression" of a rule. */
  kind: "column" | "derived" | "expression";
  /** Records of the input. */
  records: number;
  /** Records without a value. */
  nulls: number;
  /** Different values. */
  distinct: number;
  /** The values that most records have, if more than one has them: at most 8. Shortened to 80 characters. */
  heavy: { value: string; records: number }[];
  /** Whether `distinct` and `heavy` were counted. Those of a large input in a column that no rule reads are estimated, `heavy` from
   *  a sample of 50,000 records. */
  exact: boolean;
  /** Values that a rule needs as a number or date and that are neither. */
  unreadable: number;
  masked: boolean;
  personal: boolean;
  /** Whether rules read it. */
  used: boolean;
}

/** A value of a key. */
export interface HeavyKey {
  /** The number of the branch in `plan.branches` that joins on it; `null` where no branch does alone. */
  branch: number | null;
  /** "l.phone = r.phone", or several of them with " and " between them. */
  on: string;
  /** Its value; of several equalities their values with " | " between them. */
  value: string;
  /** Records with it; of a link of two inputs those of both. */
  records: number;
  /** Candidates that it makes. */
  candidates: number;
  /** Whether these numbers are of all records, and no estimates from a sample of 50,000 of each input. */
  exact: boolean;
}

// ----------------------------------------------------------------------------------------------------------------- plan

export interface Plan {
  branches: BranchFacts[];
  /** Branches for near pairs; empty where the run looked for none. */
  nearBranches: BranchFacts[];
  /** Checks that were decided once for all distinct values. */
  tables: { check: string; values: [number, number]; seconds: number | null }[];
  timeline: StageFacts[];
  /** Seconds of the whole run. */
  seconds: number;
}

/** A join, and the tree of checks below it. */
export interface BranchFacts {
  /** "equi_join", "set_join", "edit_join", "jaro_join", "neighbourhood" or "all_pairs". */
  path: string;
  /** The conditions it joins on; empty where it looks at all pairs. */
  on: string[];
  /** Conditions that filter records first. */
  filters: string[];
  /** Names of the rules that are decided here. */
  rules: string[];
  /** Rules that hold for every candidate. */
  settled: string[];
  estimatedCandidates: number;
  /** Whether that was known exactly. */
  exact: boolean;
  /** `null` where the run did not count them. So below. */
  candidates: number | null;
  pairs: number | null;
  /** Of one core, expected. */
  estimatedSeconds: number;
  /** By the clock. */
  seconds: number | null;
  /** "cpu", "device", "device_in_parts", "cpu_after_device_failure"; `null` where the job had no device. */
  place: string | null;
  /** The tree of checks, depth first: `depth` 0 is below the join; a step is below the last one before it with less depth. */
  steps: StepFacts[];
}

export interface StepFacts {
  depth: number;
  check: string;
  /** The share of what reaches it that is expected to pass; `null` where not known. */
  expectedPass: number | null;
  /** Candidates that reached it, and that passed; `null` where they were not counted. */
  tried: number | null;
  passed: number | null;
  /** Seconds of all threads together. */
  seconds: number | null;
  /** Expected nanoseconds of an evaluation. */
  nanoseconds: number;
  /** Whether it is looked up in a table of all distinct values. */
  table: boolean;
  /** Rules that hold where this passes. */
  rules: string[];
}

/** A stage of the run. Stages may run at the same time. */
export interface StageFacts {
  /** "read", "derive", "rank", "encode", "statistics", "plan", "device", "tables", "prepare_on_device", "run_on_device",
   *  "join_and_verify", "sort", "write_pairs", "write_clusters"; others may come. */
  operator: string;
  /** The access path and the rules of a join; `null` and empty for others. */
  path: string | null;
  rules: string[];
  /** Rows or candidates before and after it. */
  input: number;
  output: number;
  /** Seconds after the start of the run, and how long it took. */
  start: number;
  seconds: number;
  /** The GPU, from 0 on; `null` for the CPU, and for a stage of several GPUs. */
  gpu: number | null;
  /** Bytes read, written, kept or copied; `null` where not known. */
  bytes: number | null;
}

// --------------------------------------------------------------------------------------------------------------- search

export interface Search {
  /** How nearest misses were found: "run" (the run looked for near pairs with --near), "report" (the report has looked for them
   *  among the records in it), or "none". `words.search` says what was looked at, and why there are none. */
  misses: "run" | "report" | "none";
  /** Records among which they were looked for. */
  among: number;
  /** Pairs of `kind` 1 to 3 that are explained. */
  explained: number;
}

// ---------------------------------------------------------------------------------------------------------------- words

/** Sentences by the program. */
export interface Words {
  /** Warnings of the run: a cluster out of proportion, a GPU that failed, conditions that cannot be meant. Show prominently. */
  warnings: string[];
  /** Notes: unreadable values, heavy keys, why no GPU was used, records left out. */
  notes: string[];
  /** What should be known about how the model was learned; empty where there is no model, or nothing to say. */
  training: string[];
  /** "on the CPU with 2 threads". */
  device: string;
  /** Why there are no values of records and no reasons of pairs; `null` where there are. */
  withoutValues: string | null;
  /** What the budget has left out, a sentence each; empty where everything is there. */
  sampling: string[];
  /** What was looked at to find nearest misses, how many pairs, what is left out. */
  search: string;
  /** What of the rules need not be checked, and why. */
  simplified: string[];
  /** For each of `plan.branches`: what it does ("Join on l.phone = r.phone"), why in this way, where it ran (`null` where
   *  there is nothing to say), what was changed while it ran, and warnings. */
  branches: BranchWords[];
  nearBranches: BranchWords[];
  /** For each of `plan.timeline` what it is for readers: "Read the inputs". */
  stages: string[];
}

export interface BranchWords {
  title: string;
  reason: string;
  place: string | null;
  changes: string[];
  warnings: string[];
}

// --------------------------------------------------------------------------------------------------------------- tables

/**
 * The Arrow tables by name, with the types of their columns. Columns of type "text" are Utf8 or, where values repeat,
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

// CHANGES
// (a line for each change after the first version: who, what)
// data: sentences about samples, missing values and search are in `words`; `header.hasValues`, `sampling.valueCharacters`.
// data: the names of stages are in `words.stages`; a near condition may have no number; `search.among`, `search.explained`; all whole
//   numbers of tables that count something are u32 (u64 for `clusters.pairs` and `possible`, u8 for `kind` and `verdict`).
// rules: `rules.beforeScores`, `rules.list[].made`; the numbers of a rule that nobody wrote are of the result.
