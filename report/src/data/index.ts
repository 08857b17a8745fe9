/**
 * What a report holds: the contract between the page and the program that writes it.
 *
 * The HTML file has two blocks, each gzipped and then base64: `#facts`, which is JSON, a {@link ReportFacts}, at most some hundred kB
 * before gzip; and `#tables`, which `tables.ts` describes.
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
import type { Clusters, Sweep } from "./clusters";
import type { Data, RecordColumn } from "./columns";
import type { Entities } from "./entities";
import type { Overview } from "./overview";
import type { Plan } from "./plan";
import type { Condition, Rules } from "./rules";
import type { Scores } from "./scores";

export type * from "./clusters";
export type * from "./columns";
export type * from "./entities";
export type * from "./overview";
export type * from "./plan";
export type * from "./rules";
export type * from "./scores";

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
  /** Thresholds and ways to make clusters of the pairs, compared; `null` where nobody asked for it. */
  sweep: Sweep | null;
  /** What became of the records of each cluster; `null` where the run has made no entities. */
  entities: Entities | null;
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

export interface Search {
  /** How nearest misses were found: "run" (the run looked for near pairs with --near), "report" (the report has looked for them
   *  among the records in it), or "none". `words.search` says what was looked at, and why there are none. */
  misses: "run" | "report" | "none";
  /** Records among which they were looked for. */
  among: number;
  /** Pairs of `kind` 1 to 3 that are explained. */
  explained: number;
}

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
  /** Of the comparison of thresholds and methods: what was compared, and the lines of a rule file for the best row (`null` without
   *  a truth). `null` where there is no such comparison. */
  sweep: { notes: string; best: { says: string; clusters: string } | null } | null;
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

// CHANGES
// (a line for each change after the first version: who, what)
// data: sentences about samples, missing values and search are in `words`; `header.hasValues`, `sampling.valueCharacters`.
// data: the names of stages are in `words.stages`; a near condition may have no number; `search.among`, `search.explained`; all whole
//   numbers of tables that count something are u32 (u64 for `clusters.pairs` and `possible`, u8 for `kind` and `verdict`).
// rules: `rules.beforeScores`, `rules.list[].made`; the numbers of a rule that nobody wrote are of the result.
// sweep: `sweep`, `words.sweep`; the contract is a folder.
// entities: `entities`.
