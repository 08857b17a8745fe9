/**
 * Pictures of every section, light, dark and narrow, in the folder `screenshots`:
 * `npm run screenshots -- [SAMPLE or FILE.html],... [LOOK],... [PLACE],...`.
 */
import { mkdirSync } from "node:fs";
import { basename, resolve } from "node:path";
import type { Browser } from "playwright-core";
import { reportRoot } from "../data/container";
import { SAMPLES, writeSample } from "../data/samples";
import { open, settled, startBrowser, visit } from "./browser";

const PLACES: Record<string, string> = {
  overview: "#/overview", rules: "#/rules", rule: "#/rules/1", scores: "#/scores", pairs: "#/pairs", clusters: "#/clusters", entities: "#/entities",
  data: "#/data", plan: "#/plan", search: "#/search", record: "#/search/12", pair: "#/pairs?pair=6", cluster: "#/clusters?cluster=1",
};

const LOOKS = {
  light: { viewport: { width: 1360, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1360, height: 900 }, colorScheme: "dark" },
  narrow: { viewport: { width: 360, height: 740 }, colorScheme: "light" },
} as const;

const listed = (text: string): string[] => text.split(",").filter((part) => part !== "");

async function main(): Promise<void> {
  const folder = `${reportRoot()}/screenshots`;
  mkdirSync(folder, { recursive: true });
  const [reports = "scores", looks = "light,dark,narrow", places = Object.keys(PLACES).join(",")] = process.argv.slice(2);
  const browser = await startBrowser();
  for (const report of listed(reports)) await shoot(browser, folder, report, listed(looks), listed(places));
  await browser.close();
}

/** The path of a report: of a file, or of a sample, which is written first. */
function pathOf(report: string): string {
  const sample = SAMPLES.find((name) => name === report);
  return sample === undefined ? resolve(report) : writeSample(sample).path;
}

async function shoot(browser: Browser, folder: string, report: string, looks: string[], places: string[]): Promise<void> {
  const path = pathOf(report);
  const name = basename(report, ".html");
  for (const [look, options] of Object.entries(LOOKS).filter(([key]) => looks.includes(key))) {
    const { page, problems } = await open(browser, path, "", options);
    for (const [place, address] of Object.entries(PLACES).filter(([key]) => places.includes(key))) {
      await visit(page, address);
      await page.waitForTimeout(400);
      await settled(page);
      await page.screenshot({ path: `${folder}/${name}-${look}-${place}.png`, fullPage: !address.includes("?") });
    }
    if (problems.length > 0) console.log(name, look, problems);
    await page.context().close();
  }
}

await main();
