/** Reports that the program has written: all in the folder REPORTS, which scripts/check-report makes. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { after, afterEach, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { closeAll, open, settled, startBrowser, visit } from "./browser";
import { clickThrough } from "./click_through";

const folder = process.env["REPORTS"] ?? "";
const reports = folder === "" ? [] : readdirSync(folder).filter((name) => name.endsWith(".html")).sort();

let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
afterEach(() => closeAll(browser));
after(() => browser.close());

/** Sorts every table of a section by its first column. */
async function sortAll(page: Page, address: string): Promise<void> {
  await visit(page, address);
  for (const button of await page.locator("main thead tr > :first-child button").all()) {
    if (await button.isVisible()) await button.click();
  }
  await settled(page);
}

describe("reports of the program", { skip: reports.length === 0 ? "REPORTS names no folder with reports" : false }, () => {
  for (const name of reports) {
    it(`${name}: sections open, tables sort and filter, ids are found`, async () => {
      const opened = await open(browser, join(folder, name));
      await clickThrough(opened, true);
      const { page, problems } = opened;
      for (const address of ["#/rules", "#/clusters", "#/entities", "#/data", "#/pairs"]) await sortAll(page, address);
      const filter = page.locator(".filter");
      if ((await filter.count()) > 0) {
        await filter.first().fill("a");
        await settled(page);
      }
      const pair = page.locator(".pairs tbody a").first();
      if ((await pair.count()) > 0) {
        await pair.click();
        await page.waitForSelector("dialog[open]");
        await page.keyboard.press("Escape");
      }
      await visit(page, "#/search");
      const field = page.locator(".id-search input").first();
      if ((await field.count()) > 0) {
        await field.fill("1");
        await page.keyboard.press("Enter");
        await settled(page);
      }
      // A value of the hostile data would have set it.
      assert.equal(await page.evaluate(() => (globalThis as Record<string, unknown>)["hacked"]), undefined);
      assert.deepEqual(problems, []);
    });
  }
});
