/** Pictures of every section, light, dark and narrow, in the folder `screenshots`: `npm run screenshots -- [SAMPLE]...`. */
import { mkdirSync } from "node:fs";
import { reportRoot } from "../data/container";
import { makeSample, SAMPLES, writeSample, type SampleName } from "../data/samples";
import { open, settled, startBrowser, visit } from "./browser";

const PLACES: Record<string, string> = {
  overview: "#/overview", rules: "#/rules", rule: "#/rules/2", scores: "#/scores", pairs: "#/pairs", clusters: "#/clusters", data: "#/data", plan: "#/plan", search: "#/search", record: "#/search/12",
  pair: "#/rules/1?pair=6", cluster: "#/clusters?cluster=",
};

const LOOKS = {
  light: { viewport: { width: 1360, height: 900 }, colorScheme: "light" },
  dark: { viewport: { width: 1360, height: 900 }, colorScheme: "dark" },
  narrow: { viewport: { width: 360, height: 740 }, colorScheme: "light" },
} as const;

async function main(): Promise<void> {
  const folder = `${reportRoot()}/screenshots`;
  mkdirSync(folder, { recursive: true });
  const [sampleText = "scores", lookText = "light,dark,narrow", placeText = ""] = process.argv.slice(2);
  const browser = await startBrowser();
  for (const name of SAMPLES.filter((sample) => sampleText.split(",").includes(sample))) await shoot(browser, folder, name, lookText.split(","), placeText.split(",").filter((place) => place !== ""));
  await browser.close();
}

async function shoot(browser: Awaited<ReturnType<typeof startBrowser>>, folder: string, name: SampleName, looks: string[], places: string[]): Promise<void> {
  const { path } = writeSample(name);
  const cluster = makeSample(name).facts.clusters.bridged[1] ?? 0;
  for (const [look, options] of Object.entries(LOOKS).filter(([key]) => looks.includes(key))) {
    const { page, problems } = await open(browser, path, "", options);
    for (const [place, address] of Object.entries(PLACES).filter(([key]) => places.length === 0 || places.includes(key))) {
      await visit(page, place === "cluster" ? `${address}${cluster}` : address);
      await page.waitForTimeout(400);
      await settled(page);
      await page.screenshot({ path: `${folder}/${name}-${look}-${place}.png`, fullPage: !address.includes("?") });
    }
    if (problems.length > 0) console.log(name, look, problems);
    await page.context().close();
  }
}

await main();
