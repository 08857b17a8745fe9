/**
 * How long the page takes with a report of about 10 MB: `npm run bench`. Prints figures; it is no test, because they are those
 * of the machine. The first paint should be under a second and each interaction under 100 ms.
 */
import type { Page } from "playwright-core";
import { writeSample } from "../data/samples";
import { open, settled, startBrowser, visit } from "./browser";

/** Milliseconds from an action to the frame that shows its result. */
async function timed(page: Page, action: () => Promise<void>): Promise<number> {
  await settled(page);
  await page.evaluate(() => {
    const times = globalThis as unknown as { longest: number };
    times.longest = 0;
    const observer = new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) times.longest = Math.max(times.longest, entry.duration);
    });
    observer.observe({ type: "event", buffered: false, durationThreshold: 16 } as PerformanceObserverInit);
  });
  await action();
  await page.waitForTimeout(600);
  return page.evaluate(() => (globalThis as unknown as { longest: number }).longest);
}

/** Choosing from a list is no event that the browser times: from the choice to the second frame after it. */
function chosen(page: Page): Promise<number> {
  return page.locator("select").nth(1).evaluate(async (list: HTMLSelectElement) => {
    const start = performance.now();
    list.value = "1";
    list.dispatchEvent(new Event("change", { bubbles: true }));
    await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)));
    return performance.now() - start;
  });
}

async function main(): Promise<void> {
  const sample = writeSample("large");
  console.log(`report of ${(sample.bytes / 1e6).toFixed(1)} MB`);
  const browser = await startBrowser();
  const { page } = await open(browser, sample.path, "#/overview");
  await page.waitForTimeout(1500);
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? NaN);
  const print = (name: string, milliseconds: number): void => console.log(`${name.padEnd(44)} ${milliseconds.toFixed(0).padStart(6)} ms`);
  print("first paint", paint);
  await visit(page, "#/pairs");
  print("all pairs: sort by id", await timed(page, () => page.locator(".pairs thead button", { hasText: "Pair" }).click()));
  print("all pairs: sort by weight", await timed(page, () => page.locator(".pairs thead button", { hasText: "Weight" }).click()));
  print("all pairs: type the first letter of a word", await timed(page, () => page.locator(".filter").pressSequentially("w")));
  print("all pairs: type the rest of it", await timed(page, () => page.locator(".filter").pressSequentially("arehouses")));
  print("all pairs: choose a rule", await chosen(page));
  print("all pairs: open a pair", await timed(page, () => page.locator(".pairs tbody a").first().click()));
  await visit(page, "#/clusters");
  print("clusters: sort by size", await timed(page, () => page.locator('[aria-label="Clusters in this report"] thead button', { hasText: "Records" }).click()));
  print("clusters: open the first card", await timed(page, () => page.locator(".card").first().click()));
  await visit(page, "#/search");
  print("search: sort records by title", await timed(page, () => page.locator("thead button", { hasText: "title" }).click()));
  print("search: the last id", await timed(page, async () => {
    await page.locator(".id-search input").first().fill("304");
    await page.keyboard.press("Enter");
  }));
  for (const name of ["Rules", "Scores", "Pairs", "Clusters", "Data", "Plan and time", "Search"]) {
    print(`go to ${name}`, await timed(page, () => page.locator("nav a", { hasText: new RegExp(`^${name}$`) }).click()));
  }
  await browser.close();
}

await main();
