/** A small rule language of the tests: conditions that are really evaluated, so that the reports of the tests hold together. */
import type { Condition, Threshold } from "../../src/data";
import type { Publication } from "./publications";

export interface TestCondition extends Condition {
  /** The compared values of one record. */
  read: (record: Publication) => string | null;
  measure: ((left: string, right: string) => number) | null;
}

export interface TestRule {
  name: string;
  when: string;
  ways: number[][];
}

const letters = (record: Publication): string => record.title.toLowerCase().replace(/[^a-z0-9]/g, "");
const plain = (record: Publication): string => record.title.toLowerCase().replace(/[^a-z0-9]+/g, " ").trim();
const names = (record: Publication): string | null => record.authors?.toLowerCase().replace(/\b\w\. /g, "") ?? null;

function threshold(measure: string, value: number, whole = false): Threshold {
  return { measure, value, direction: "atLeast", inclusive: true, whole, step: whole ? 1 : 0.1 };
}

export const CONDITIONS: TestCondition[] = [
  { text: "l.letters = r.letters", threshold: null, read: letters, measure: null },
  { text: "l.year = r.year", threshold: null, read: (record) => record.year, measure: null },
  { text: "overlap(words(l.names), words(r.names)) >= 1", threshold: threshold("overlap(words(l.names), words(r.names))", 1, true), read: names, measure: (a, b) => common(words(a), words(b)) },
  { text: "dice(qgrams(l.letters, 2), qgrams(r.letters, 2)) >= 0.9", threshold: threshold("dice(qgrams(l.letters, 2), qgrams(r.letters, 2))", 0.9), read: letters, measure: (a, b) => dice(grams(a), grams(b)) },
  { text: "jaccard(words(l.plain), words(r.plain)) >= 0.6", threshold: threshold("jaccard(words(l.plain), words(r.plain))", 0.6), read: plain, measure: (a, b) => jaccard(words(a), words(b)) },
  { text: "jaccard(words(l.names), words(r.names)) >= 0.5", threshold: threshold("jaccard(words(l.names), words(r.names))", 0.5), read: names, measure: (a, b) => jaccard(words(a), words(b)) },
  { text: "l.names = r.names", threshold: null, read: names, measure: null },
  { text: "l.venue = r.venue", threshold: null, read: (record) => record.venue, measure: null },
];

export const RULES: TestRule[] = [
  { name: "same title and year, an author in common", when: "l.letters = r.letters and l.year = r.year and overlap(words(l.names), words(r.names)) >= 1", ways: [[0, 1, 2]] },
  { name: "same year, title nearly the same, an author in common", when: "\n  l.year = r.year\n  and dice(qgrams(l.letters, 2), qgrams(r.letters, 2)) >= 0.9\n  and overlap(words(l.names), words(r.names)) >= 1\n", ways: [[1, 3, 2]] },
  { name: "words of the title alike, authors alike", when: "jaccard(words(l.plain), words(r.plain)) >= 0.6 and jaccard(words(l.names), words(r.names)) >= 0.5", ways: [[4, 5]] },
  { name: "same authors, same title or same year and venue", when: "l.names = r.names and (l.letters = r.letters or l.year = r.year and l.venue = r.venue and jaccard(words(l.plain), words(r.plain)) >= 0.6)", ways: [[6, 0], [6, 1, 7, 4]] },
];

function words(text: string): Set<string> {
  return new Set(text.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== ""));
}

function grams(text: string): Set<string> {
  return new Set(Array.from({ length: Math.max(0, text.length - 1) }, (_, i) => text.slice(i, i + 2)));
}

function common(a: Set<string>, b: Set<string>): number {
  return [...a].filter((word) => b.has(word)).length;
}

function jaccard(a: Set<string>, b: Set<string>): number {
  const both = common(a, b);
  return both / (a.size + b.size - both || 1);
}

function dice(a: Set<string>, b: Set<string>): number {
  return (2 * common(a, b)) / (a.size + b.size || 1);
}

export interface TestFinding {
  verdict: 0 | 1 | 2;
  measured: number | null;
  missedBy: number | null;
  left: string | null;
  right: string | null;
}

export function evaluate(condition: TestCondition, left: Publication, right: Publication): TestFinding {
  const [a, b] = [condition.read(left), condition.read(right)];
  if (a === null || b === null) return { verdict: 2, measured: null, missedBy: null, left: a, right: b };
  if (condition.measure === null || condition.threshold === null) return { verdict: a === b ? 1 : 0, measured: null, missedBy: null, left: a, right: b };
  const measured = condition.measure(a, b);
  const holds = measured >= condition.threshold.value;
  return { verdict: holds ? 1 : 0, measured, missedBy: holds ? null : condition.threshold.value - measured, left: a, right: b };
}

/** The rules that hold, by the verdicts on all conditions. */
export function rulesThatHold(findings: TestFinding[]): number[] {
  return RULES.flatMap((rule, number) => (rule.ways.some((way) => way.every((condition) => findings[condition]?.verdict === 1)) ? [number] : []));
}

/** The rule and the condition that alone keeps it from holding, if the condition can be loosened so far. */
export function nearlyHolds(findings: TestFinding[]): { rule: number; condition: number } | null {
  for (const [rule, { ways }] of RULES.entries()) {
    for (const way of ways) {
      const failed = way.filter((condition) => findings[condition]?.verdict !== 1);
      const condition = failed[0];
      if (failed.length !== 1 || condition === undefined) continue;
      const step = CONDITIONS[condition]?.threshold?.step ?? null;
      const missed = findings[condition]?.missedBy ?? null;
      if (step !== null && missed !== null && missed <= step) return { rule, condition };
    }
  }
  return null;
}
