/** The report as the sections see it. */
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { ReportFacts } from "../data";
import { signed } from "./format";
import type { Tables } from "./tables";

export interface Report {
  facts: ReportFacts;
  tables: Tables;
}

export const ReportContext = createContext<Report | null>(null);

/** The report; sections are shown only once it is there. */
export function useReport(): Report {
  const report = useContext(ReportContext);
  if (report === null) throw new Error("The report is not read yet.");
  return report;
}

/** What an edge or pair is called after: the name of its rule. */
export function ruleName(facts: ReportFacts, rule: number): string {
  const found = facts.rules.list[rule];
  if (found === undefined) return "";
  return found.named ? found.name : found.when.replace(/\s+/g, " ").trim() || found.name;
}

/** The score of a pair as text. */
export function scoreText({ facts }: Report, score: number): string {
  if (!Number.isFinite(score)) return "–";
  return facts.scores?.kind === "weight" ? signed(score) : score.toFixed(4);
}
