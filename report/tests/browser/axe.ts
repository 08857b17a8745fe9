/** Looks for what keeps people from using the page. */
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

const SOURCE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

interface Finding {
  id: string;
  impact: string | null;
  nodes: { html: string; failureSummary?: string }[];
}

/** Serious and critical findings of axe, a line each. */
export async function seriousFindings(page: Page): Promise<string[]> {
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(SOURCE);
  const findings = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: (root: Document, options: object) => Promise<{ violations: Finding[] }> } };
    return (await axe.run(document, { resultTypes: ["violations"] })).violations;
  });
  return findings
    .filter(({ impact }) => impact === "serious" || impact === "critical")
    .map(({ id, impact, nodes }) => `${id} (${impact ?? ""}): ${nodes.slice(0, 3).map((node) => `${node.html.slice(0, 200)} ${node.failureSummary ?? ""}`).join(" | ")}`);
}
