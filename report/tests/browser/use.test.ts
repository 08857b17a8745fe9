/** What people do with a report: search, sort, filter, open a pair, go back; with the mouse and with the keyboard. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { Browser, Page } from "playwright-core";
import { writeSample } from "../data/samples";
import { seriousFindings } from "./axe";
import { closeAll, open, settled, startBrowser, visit } from "./browser";

let browser: Browser;
let ordinary: string;
let scores: string;
before(async () => {
  browser = await startBrowser();
  ordinary = writeSample("ordinary").path;
  scores = writeSample("scores").path;
});
afterEach(() => closeAll(browser));
after(() => browser.close());

async function firstCells(page: Page, table: string, column: number): Promise<string[]> {
  return page.locator(`[aria-label="${table}"] tbody tr:not(.spacer) td:nth-child(${column})`).allTextContents();
}

describe("a reader", () => {
  it("gets from a number to the records behind it in two clicks", async () => {
    const { page, problems } = await open(browser, ordinary, "#/rules");
    await page.locator("main a", { hasText: "words of the title alike" }).first().click();
    await page.locator(".pairs tbody a").first().click();
    await page.waitForSelector("dialog .compare tbody tr");
    assert.ok((await page.locator("dialog .compare tbody tr").count()) >= 4);
    assert.ok((await page.locator("dialog .condition").count()) > 0);
    assert.deepEqual(await seriousFindings(page), []);
    assert.deepEqual(problems, []);
  });

  it("closes what is open with Escape, and goes back", async () => {
    const { page } = await open(browser, ordinary, "#/rules/1?pair=3");
    await page.waitForSelector("dialog[open]");
    await page.keyboard.press("Escape");
    await page.waitForSelector("dialog", { state: "detached" });
    assert.equal(await page.evaluate(() => location.hash), "#/rules/1");
    await page.goBack();
    await page.waitForSelector("dialog[open]");
  });

  it("sorts a table by a column, both ways", async () => {
    const { page } = await open(browser, ordinary, "#/clusters");
    const size = page.locator('[aria-label="Clusters in this report"] thead button', { hasText: "Records" });
    await size.click();
    await settled(page);
    const falling = (await firstCells(page, "Clusters in this report", 2)).map(Number);
    assert.deepEqual(falling, [...falling].sort((a, b) => b - a));
    assert.ok((falling[0] ?? 0) > 5);
    await size.click();
    await settled(page);
    assert.equal((await firstCells(page, "Clusters in this report", 2))[0], "2");
  });

  it("filters pairs by words, kind and rule", async () => {
    const { page } = await open(browser, ordinary, "#/pairs");
    await page.locator(".filter").fill("okafor warehouses");
    await page.waitForFunction(() => !(document.querySelector(".table-count")?.textContent ?? "").includes("so far"));
    await settled(page);
    const words = await page.locator(".pairs tbody tr:not(.spacer)").allTextContents();
    assert.ok(words.length > 0);
    const all = await page.locator(".table-count").textContent();
    await page.locator(".filter").fill("");
    await page.locator("select").first().selectOption({ label: "near pairs of the run" });
    await settled(page);
    assert.notEqual(await page.locator(".table-count").textContent(), all);
    assert.ok((await page.locator(".pairs .tag", { hasText: "near pair" }).count()) > 0);
    assert.equal(await page.locator(".pairs .tag", { hasText: /^pair$/ }).count(), 0);
  });

  it("finds a record by its id, by the start of it, and hears when there is none", async () => {
    const { page } = await open(browser, ordinary, "#/search");
    const id = ((await page.locator('[aria-label="Records"] tbody a').nth(3).textContent()) ?? "").trim();
    const field = page.locator(".id-search input").first();
    await field.fill(id.toUpperCase().slice(0, -1));
    await page.keyboard.press("Enter");
    await page.waitForSelector(".record-view");
    await field.fill(id);
    await page.keyboard.press("Enter");
    await page.waitForFunction((wanted) => document.querySelector(".record-view h2")?.textContent.includes(wanted), id);
    await field.fill("no such id");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => document.querySelector(".problem")?.textContent.includes("no such id"));
  });

  it("compares any two records", async () => {
    const { page } = await open(browser, ordinary, "#/search/0/5");
    await page.waitForSelector(".pair-view .compare mark, .pair-view .same-row");
  });

  it("sees what another threshold would do", async () => {
    const { page } = await open(browser, ordinary, "#/rules/1");
    const slider = page.locator(".slider input").first();
    await slider.focus();
    await page.keyboard.press("ArrowRight");
    assert.match((await page.locator(".slider-effect").first().textContent()) ?? "", /^Stricter: .* pairs fewer/);
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("ArrowLeft");
    assert.match((await page.locator(".slider-effect").first().textContent()) ?? "", /^Looser: .* gain/);
  });

  it("gets from a set of rules and from a bar to its pairs", async () => {
    const { page } = await open(browser, scores, "#/rules");
    const cell = page.locator(".overlap tbody a").nth(1);
    const expected = ((await cell.textContent()) ?? "").trim();
    await cell.click();
    await page.waitForFunction((wanted) => document.querySelector(".table-count")?.textContent.startsWith(`${wanted} `), expected);
    await visit(page, "#/scores");
    await page.locator(".as-table summary").first().click();
    const bin = page.locator(".as-table tbody tr", { hasNot: page.locator("td:text-is('0')") }).first().locator("a");
    const pairs = ((await bin.textContent()) ?? "").trim();
    await bin.click();
    await page.waitForFunction((wanted) => document.querySelector(".table-count")?.textContent.startsWith(`${wanted} `), pairs);
  });

  it("opens a cluster as a graph with its records and pairs beside it", async () => {
    const { page, problems } = await open(browser, ordinary, "#/clusters");
    await page.locator(".card").first().click();
    await page.waitForSelector("dialog .graph .node");
    const nodes = await page.locator("dialog .graph .node").count();
    assert.equal(await page.locator('dialog [aria-label="Records of the cluster"] tbody tr').count(), nodes);
    assert.ok((await page.locator("dialog .bridge-edge").count()) > 0);
    assert.deepEqual(await seriousFindings(page), []);
    await page.locator('dialog [aria-label="Pairs of the cluster"] tbody a').first().click();
    await page.waitForSelector("dialog .pair-view");
    assert.deepEqual(problems, []);
  });

  it("needs no mouse", async () => {
    const { page } = await open(browser, ordinary, "#/rules");
    await page.keyboard.press("Tab");
    assert.equal(await page.evaluate(() => document.activeElement?.textContent), "To the content");
    await page.keyboard.press("Enter");
    assert.equal(await page.evaluate(() => document.activeElement?.tagName), "H1");
    await visit(page, "#/pairs");
    await page.locator(".pairs tbody a").first().focus();
    for (let i = 0; i < 40; i++) await page.keyboard.press("ArrowDown");
    await settled(page);
    const row = await page.evaluate(() => Number(document.activeElement?.closest("tr")?.getAttribute("aria-rowindex")));
    assert.ok(row > 30, `row ${row}`);
    await page.keyboard.press("Enter");
    await page.waitForSelector("dialog[open]");
    for (let i = 0; i < 30; i++) await page.keyboard.press("Tab");
    assert.ok(await page.evaluate(() => document.activeElement === document.body || document.activeElement?.closest("dialog") !== null), "the keyboard stays inside");
  });

  it("switches between light and dark", async () => {
    const { page } = await open(browser, ordinary);
    await page.locator(".tool").first().click();
    assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
    await page.reload();
    await page.waitForSelector("main h1");
    assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
  });
});
