/** What was joined and checked, in which order, and how long it took. */

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
   *  "join_and_verify", "sort", "cluster", "write_pairs", "write_clusters", "write_cut"; others may come. */
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
