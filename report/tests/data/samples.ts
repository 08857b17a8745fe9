/** The reports that the tests open. */
import { createHash } from "node:crypto";
import { mkdirSync } from "node:fs";
import type { SweepJudge } from "../../src/model/sweep";
import { reportRoot, writeReport, type ReportData } from "./container";
import { sweepFacts, sweepWords } from "./facts_sweep";
import type { Publication } from "./publications";
import { makeReport } from "./report";

export const SAMPLES = ["ordinary", "scores", "empty", "hostile", "masked", "without_values", "large"] as const;
export type SampleName = (typeof SAMPLES)[number];

export const HOSTILE_VALUES = [
  "<script>document.title='run'; window.hacked = 1</script>",
  "</script><script>window.hacked = 2</script>",
  "<img src=x onerror=\"window.hacked = 3\">",
  "=1+1",
  "javascript:window.hacked=4",
  "مرحبا بالعالم \u202Eevil\u202C end",
  "zero\u200Bwidth\u200Djoined\uFEFF",
  `${"very long ".repeat(1000)}end`,
  "]]>--><!--",
  "tab\there\nnew line\u0000null",
  "@@FACTS@@ $& $1 @@TABLES@@",
  "👩‍👩‍👧‍👦 e\u0301 \uD835\uDD52",
];

export function makeSample(name: SampleName): ReportData {
  switch (name) {
    case "ordinary": return makeReport({ works: 1600, scores: false, truth: true, near: true, entities: false });
    case "scores": return scored();
    case "large": return large();
    case "empty": return makeReport({ works: 0, scores: false, truth: false, near: false, entities: true });
    case "hostile": return swept(makeReport({ works: 60, scores: true, truth: false, near: true, entities: true, spoil: spoil }), "change", HOSTILE_VALUES[0]);
    case "masked": return masked();
    case "without_values": return withoutValues();
  }
}

/** A run with scores, of whose model something should be known. */
function scored(): ReportData {
  const report = makeReport({ works: 1600, scores: true, truth: true, near: true, entities: true, warnings: ["the largest cluster has 12 records, 6 times as many as others have on average: look at it first"] });
  report.facts.words.training = ["that certain rules find 80 % of all matches is an assumption: give `recall` in `[train]`"];
  return swept(report, "truth");
}

/** The same with thresholds and ways to make clusters compared. */
function swept(report: ReportData, judge: SweepJudge, scoredBy?: string): ReportData {
  report.facts.sweep = sweepFacts(judge, scoredBy);
  report.facts.words.sweep = sweepWords(judge);
  return report;
}

/** Puts a hostile value into every text, in both copies of a work. */
function spoil(records: Publication[]): void {
  for (const record of records) {
    const value = HOSTILE_VALUES[record.work % HOSTILE_VALUES.length] ?? "";
    record.title = `${value} ${record.title}`;
    if (record.work % 3 === 0) record.authors = value;
    record.id = `${value.slice(0, 60)}${record.id}`;
    record.venue = value.slice(0, 80);
  }
}

function large(): ReportData {
  const report = makeReport({ works: 62_000, scores: true, truth: true, near: true, entities: true });
  report.facts.words.sampling = ["Of 12,345,678 pairs, a sample is explained. The rest are counted."];
  return report;
}

function masked(): ReportData {
  const mask = (value: string | null): string | null => (value === null ? null : `#${createHash("sha256").update(value).digest("hex").slice(0, 12)}`);
  const report = makeReport({ works: 300, scores: false, truth: false, near: true, entities: true, spoil: (records) => records.forEach((record) => { record.authors = mask(record.authors); }) });
  const { facts } = report;
  facts.header.maskedColumns = ["authors", "names"];
  facts.header.shownColumns = ["title", "venue", "year"];
  facts.header.personalColumns = [];
  for (const column of [...facts.columns, ...facts.data.columns, ...(facts.entities?.columns ?? [])]) column.masked = column.name === "authors";
  return swept(report, "labels");
}

function withoutValues(): ReportData {
  const report = makeReport({ works: 300, scores: false, truth: false, near: true, entities: true });
  const { facts, tables } = report;
  facts.header.hasValues = false;
  facts.header.shownColumns = [];
  facts.header.personalColumns = [];
  facts.words.withoutValues = "The input data/dblp.csv is not where it was: this report has ids alone.";
  facts.columns = [];
  facts.rules.overlaps = [];
  for (const column of facts.entities?.columns ?? []) [column.column, column.examples] = [null, []];
  for (const name of ["findings", "waterfall"]) for (const column of Object.values(tables[name] ?? {})) column.values = [];
  return report;
}

/** Writes a sample and says where and how large it is. */
export function writeSample(name: SampleName): { path: string; bytes: number } {
  const folder = `${reportRoot()}/.build/samples`;
  mkdirSync(folder, { recursive: true });
  const path = `${folder}/${name}.html`;
  return { path, bytes: writeReport(path, makeSample(name)) };
}
