/** What the numbers of rules count, in words. */
import type { Rules } from "../data";
import { counted } from "./format";

/** How pairs were found: "by 3 rules", "by score", "by 1 rule and by score". */
export function foundBy({ list }: Rules): string {
  const written = list.filter((rule) => !rule.made).length;
  if (written === list.length) return `by ${counted(written, "rule")}`;
  return written === 0 ? "by score" : `by ${counted(written, "rule")} and by score`;
}

/** Whether no rule was written: all pairs are found by their score. */
export function isScoredAlone({ list }: Rules): boolean {
  return list.length > 0 && list.every((rule) => rule.made);
}

/** What the table of rules counts. */
export function ruleNumbers(rules: Rules): string {
  if (isScoredAlone(rules)) return "Nobody wrote a rule: every pair is found by its score.";
  const numbers = "Alone: by itself. Marginal: what no rule before it finds. Cumulative: of all rules up to it.";
  return rules.beforeScores ? `${numbers} These count pairs before scores; in the result are those that their score keeps.` : numbers;
}

/** What the table of `never` rules counts. */
export function neverNumbers({ beforeScores }: Rules): string {
  const numbers = "Pairs that a rule gives and that one of these forbids.";
  return beforeScores ? `${numbers} They are counted before scores: the threshold would have refused many of them anyway.` : numbers;
}
