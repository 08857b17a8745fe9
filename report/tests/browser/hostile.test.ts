/** Hostile values are shown, and never run. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, afterEach, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { container } from "../data/container";
import { HOSTILE_VALUES, makeSample, writeSample } from "../data/samples";
import { splitTables } from "../../src/model/decode";
import { closeAll, open, settled, startBrowser, visit } from "./browser";

let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
afterEach(() => closeAll(browser));
after(() => browser.close());

/** What is left of a text without blanks, signs for invisible characters and other scripts. */
function ascii(text: string): string {
  return Array.from(text).filter((character) => character > " " && character < "\u007f").join("");
}

describe("hostile values", () => {
  it("are shown as they are, and not run", async () => {
    const { path } = writeSample("hostile");
    const { page, problems } = await open(browser, path);
    const { records } = makeSample("hostile").tables;
    const titles = records?.["c0"]?.values ?? [];
    for (const [number, value] of HOSTILE_VALUES.entries()) {
      const row = titles.findIndex((title) => String(title).startsWith(value));
      assert.ok(row >= 0, value);
      await visit(page, `#/search/${row}`);
      const shown = (await page.locator(".record-view .values dd").first().textContent()) ?? "";
      assert.ok(ascii(shown.replaceAll(/U\+[0-9A-F]{4}/g, "")).includes(ascii(value).slice(0, 40)), `${number}: ${shown.slice(0, 100)}`);
      await page.locator(".pairs tbody a").first().click({ timeout: 500 }).catch(() => undefined);
      await settled(page);
    }
    assert.equal(await page.evaluate(() => "hacked" in globalThis), false);
    assert.match(await page.title(), /sameas report$/);
    assert.equal(await page.locator("main img, main script, dialog img, dialog script").count(), 0);
    assert.deepEqual(problems, []);
  });

  it("make what cannot be seen visible", async () => {
    const { page } = await open(browser, writeSample("hostile").path, "#/search");
    await page.locator(".filter").fill("zero");
    await page.waitForSelector(".invisible");
    assert.equal(await page.locator(".invisible").first().getAttribute("title"), "zero-width space");
  });

  it("meet a strict policy in the page", () => {
    const page = readFileSync(writeSample("hostile").path, "utf8");
    const policy = /Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1] ?? "";
    assert.match(policy, /^default-src 'none'; script-src 'sha256-[^' ]+'; style-src 'sha256-[^' ]+'; img-src data:;/);
    assert.doesNotMatch(policy, /unsafe|http|\*/);
  });
});

describe("the container of tables", () => {
  it("gives back what was put in", () => {
    const { tables } = makeSample("hostile");
    const bytes = container(tables);
    const read = splitTables(Uint8Array.from(bytes));
    assert.deepEqual([...read.keys()], Object.keys(tables));
    for (const [name, columns] of Object.entries(tables)) {
      for (const [key, { values }] of Object.entries(columns)) {
        assert.deepEqual(Array.from(read.get(name)?.getChild(key) ?? []), values, `${name}.${key}`);
      }
    }
  });
});
