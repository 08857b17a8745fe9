/** Every section of every kind of report opens, without an error, a request or a barrier. */
import assert from "node:assert/strict";
import { after, afterEach, before, describe, it } from "node:test";
import type { Browser } from "playwright-core";
import { SAMPLES, writeSample, type SampleName } from "../data/samples";
import { seriousFindings } from "./axe";
import { closeAll, open, settled, startBrowser, visit } from "./browser";
import { clickThrough } from "./click_through";

const SMALL: SampleName[] = SAMPLES.filter((name) => name !== "large");
/** Reports whose sections are built like those of others, and need no second look for barriers. */
const PLAIN: SampleName[] = ["ordinary", "masked"];

let browser: Browser;
before(async () => {
  browser = await startBrowser();
});
afterEach(() => closeAll(browser));
after(() => browser.close());

describe("sections", () => {
  for (const name of SMALL) {
    it(`of the report "${name}" open, light`, async () => {
      await clickThrough(await open(browser, writeSample(name).path), !PLAIN.includes(name));
    });
  }

  it("can be read in the dark", async () => {
    const opened = await open(browser, writeSample("scores").path, "", { colorScheme: "dark" });
    assert.equal(await opened.page.evaluate(() => document.documentElement.dataset["theme"]), "dark");
    await clickThrough(opened, true);
  });

  it("fit a narrow screen without scrolling sideways", async () => {
    const opened = await open(browser, writeSample("hostile").path, "", { viewport: { width: 360, height: 740 } });
    for (const address of ["#/overview", "#/rules", "#/rules/1", "#/scores", "#/pairs", "#/clusters", "#/entities", "#/entities/1", "#/data", "#/plan", "#/search", "#/search/3", "#/clusters?cluster=0", "#/pairs?pair=2"]) {
      await visit(opened.page, address);
      const beyond = await opened.page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
      assert.ok(beyond <= 0, `${address} is ${beyond} pixels too wide`);
      assert.deepEqual(await seriousFindings(opened.page), [], address);
    }
    assert.deepEqual(opened.problems, []);
  });

  it("leave scores out where there are none", async () => {
    const { page } = await open(browser, writeSample("ordinary").path);
    assert.equal(await page.locator("nav a", { hasText: "Scores" }).count(), 0);
    await visit(page, "#/scores");
    assert.match((await page.locator(".nothing").textContent()) ?? "", /no scores/);
  });

  it("say which numbers of rules are before scores", async () => {
    const heads = async (name: SampleName): Promise<string> => {
      const { page } = await open(browser, writeSample(name).path);
      await visit(page, "#/rules");
      return (await page.locator("th").allTextContents()).join(", ");
    };
    const scored = await heads("scores");
    assert.ok(scored.includes("In the result") && scored.includes("Removed before scores"), scored);
    const plain = await heads("ordinary");
    assert.ok(plain.includes("Pairs removed") && !plain.includes("In the result"), plain);
  });

  it("show how sure a model is, and whether that is true", async () => {
    const { page, problems } = await open(browser, writeSample("scores").path);
    await visit(page, "#/scores");
    const panels = await page.locator("main h2").allTextContents();
    for (const name of ["What the model expects", "Whether the probabilities are true"]) assert.ok(panels.includes(name), panels.join(", "));
    const heads = (await page.locator(".levels").first().locator("thead th").allTextContents()).join(", ");
    assert.ok(heads.includes("Error") && heads.includes("Matches"), heads);
    assert.match((await page.locator(".levels tbody tr").first().textContent()) ?? "", /± 0\.05/);
    assert.match((await page.locator("main .notice.warning").textContent()) ?? "", /is an assumption/);
    const { page: without } = await open(browser, writeSample("hostile").path);
    await visit(without, "#/scores");
    assert.ok(!(await without.locator("main h2").allTextContents()).includes("Whether the probabilities are true"));
    assert.deepEqual(problems, []);
  });

  it("compare thresholds and clusterings where that was asked for", async () => {
    const opened = async (name: SampleName) => {
      const { page, problems } = await open(browser, writeSample(name).path);
      await visit(page, "#/clusters");
      const panel = page.locator("main .panel", { hasText: "Which threshold, which clusters" });
      return { panel, problems };
    };
    const { panel, problems } = await opened("scores");
    assert.equal(await panel.locator("tbody tr").count(), 42);
    assert.deepEqual(await panel.locator(".tag").allTextContents(), ["best F1"]);
    assert.match((await panel.locator("tr", { hasText: "best F1" }).textContent()) ?? "", /^components best F10\.6/);
    assert.equal(await panel.locator(".chart .curve").count(), 7);
    assert.equal(await panel.locator(".chart .best-ring").count(), 1);
    assert.match((await panel.locator("pre").textContent()) ?? "", /^\[clusters\]\nthreshold = 0\.6$/);
    const labels = await opened("masked");
    assert.match((await labels.panel.locator("tbody tr").first().textContent()) ?? "", /0\.900 \(0\.87 to 0\.92\)unknown/);
    const change = await opened("hostile");
    assert.ok((await change.panel.locator("th").allTextContents()).join().includes("Agreement"));
    assert.equal(await change.panel.locator(".best-figure, .best-ring").count(), 0);
    assert.equal(await (await opened("ordinary")).panel.count(), 0);
    assert.deepEqual([...problems, ...labels.problems, ...change.problems], []);
  });

  it("show where the records of entities disagree", async () => {
    const { page, problems } = await open(browser, writeSample("scores").path);
    await visit(page, "#/entities");
    const columns = page.locator('[aria-label="Columns of entities"] tbody tr');
    assert.deepEqual(await columns.locator("td:first-child").allTextContents(), ["title", "authors", "venue", "year", "names"]);
    const example = page.locator("main .panel").nth(1).locator("tbody tr").first();
    const others = Number((await example.locator("td:nth-child(5)").textContent()) ?? "");
    assert.ok(others > 0 && (await example.locator(".chip").count()) === Math.min(4, others));
    await example.locator("a").first().click();
    await page.waitForSelector("dialog .cluster-view");
    await page.keyboard.press("Escape");
    await columns.nth(4).locator("a").click();
    await page.waitForFunction(() => document.querySelector("main .nothing")?.textContent === "It is made of the values of all records.");
    assert.equal(await page.locator("nav a[aria-current=page]").textContent(), "Entities");
    const { page: without } = await open(browser, writeSample("ordinary").path);
    assert.equal(await without.locator("nav a", { hasText: "Entities" }).count(), 0);
    await visit(without, "#/entities");
    assert.match((await without.locator(".nothing").textContent()) ?? "", /no entities/);
    assert.deepEqual(problems, []);
  });

  it("are all there in print", async () => {
    const { page, problems } = await open(browser, writeSample("scores").path);
    await page.waitForTimeout(300);
    // Graphs are there with the first frame: the printer does not wait.
    const [cards, graphs] = await page.evaluate(async () => {
      dispatchEvent(new Event("beforeprint"));
      await new Promise((drawn) => requestAnimationFrame(drawn));
      return [document.querySelectorAll(".card").length, document.querySelectorAll(".card .graph > svg").length];
    });
    assert.ok((cards ?? 0) > 3 && cards === graphs, `${graphs} graphs of ${cards}`);
    await settled(page);
    assert.deepEqual(await page.locator("main h1").allTextContents(), ["Overview", "Rules", "Scores", "Clusters", "Entities", "Data", "Plan and time"]);
    assert.ok((await page.pdf({ format: "A4" })).length > 50_000);
    assert.deepEqual(problems, []);
  });
});
