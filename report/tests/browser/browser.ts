/** Opens reports in Chromium from disk, and notes everything that must not happen. */
import { chromium, type Browser, type BrowserContextOptions, type Page } from "playwright-core";

const FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync"];

/** Tests are about what happens, not about when: a busy machine may take long. */
const TIMEOUT_MS = 180_000;

export function startBrowser(): Promise<Browser> {
  return chromium.launch({ executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium", args: FLAGS, headless: true });
}

export interface Opened {
  page: Page;
  /** Messages of errors and warnings in the console, uncaught errors, and requests to anywhere but the file itself. */
  problems: string[];
}

export async function open(browser: Browser, path: string, hash = "", options: BrowserContextOptions = {}): Promise<Opened> {
  const context = await browser.newContext({ viewport: { width: 1360, height: 900 }, reducedMotion: "reduce", ...options });
  context.setDefaultTimeout(TIMEOUT_MS);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") problems.push(`console: ${message.text()}`);
  });
  page.on("pageerror", (error) => problems.push(`error: ${error.message}`));
  page.on("request", (request) => {
    if (!request.url().startsWith("file://") && !request.url().startsWith("data:")) problems.push(`request: ${request.url()}`);
  });
  await page.goto(`file://${path}${hash}`);
  await page.waitForSelector("main h1");
  return { page, problems };
}

/** Closes all pages, so that those of one test do not take time from the next. */
export async function closeAll(browser: Browser): Promise<void> {
  await Promise.all(browser.contexts().map((context) => context.close()));
}

/** Goes to another place of the report, and waits until it is there. */
export async function visit(page: Page, address: string): Promise<void> {
  await page.evaluate((hash) => {
    location.hash = hash;
  }, address);
  await page.waitForFunction(() => document.querySelector("main h1") !== null);
  await settled(page);
}

/** Waits until nothing is drawn any more. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => {
    requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 60)));
  }));
}
