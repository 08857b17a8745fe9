/** Opens every section of a report, as a reader does by the navigation. */
import assert from "node:assert/strict";
import { seriousFindings } from "./axe";
import { settled, type Opened } from "./browser";

const NAMES = ["Overview", "Rules", "Scores", "Pairs", "Clusters", "Entities", "Data", "Plan and time", "Search"];

/** Clicks through the navigation and looks at each section; `withAxe` also looks for barriers. */
export async function clickThrough({ page, problems }: Opened, withAxe: boolean): Promise<void> {
  for (const name of NAMES) {
    const link = page.locator("nav a", { hasText: new RegExp(`^${name}$`) });
    if ((await link.count()) === 0) {
      assert.ok(["Scores", "Entities"].includes(name), `the section ${name} is missing`);
      continue;
    }
    await link.click();
    await page.waitForFunction((wanted) => document.querySelector("main h1")?.textContent === wanted, name);
    await settled(page);
    assert.ok(((await page.locator("main .says").first().textContent()) ?? "").length > 20, `${name} says what it shows`);
    if (withAxe) assert.deepEqual(await seriousFindings(page), [], name);
  }
  assert.deepEqual(problems, []);
}
