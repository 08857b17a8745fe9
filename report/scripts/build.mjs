// Makes the page: one HTML file with its script and style inside. `--check` compares it with the one that is committed.
import { build } from "esbuild";
import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { notices } from "./notices.mjs";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");
const PAGE = resolve(ROOT, "../crates/sameas-cli/src/report_page/page.html");
const PLACEHOLDERS = ["@@FACTS@@", "@@TABLES@@"];

/** The script and the style, each as one text. */
async function bundle() {
  const result = await build({
    absWorkingDir: ROOT,
    entryPoints: { page: "src/main.tsx", style: "src/styles/index.css" },
    bundle: true,
    minify: true,
    write: false,
    outdir: "out",
    format: "iife",
    target: ["chrome109", "firefox115", "safari16.4"],
    charset: "utf8",
    legalComments: "none",
    jsx: "automatic",
    jsxImportSource: "preact",
    metafile: true,
  });
  const text = (name) => result.outputFiles.find((file) => file.path.endsWith(name)).text.trim();
  return { script: text("page.js"), style: text("style.css"), modules: Object.keys(result.metafile.inputs) };
}

/** The form in which a Content-Security-Policy names an inline script or style. */
function fingerprint(text) {
  return `'sha256-${createHash("sha256").update(text, "utf8").digest("base64")}'`;
}

/** Replaces `@@NAME@@` by a text as it is (a `$` in it means nothing). */
function fill(template, name, text) {
  const parts = template.split(`@@${name}@@`);
  if (parts.length !== 2) throw new Error(`@@${name}@@ must be in the template once`);
  return parts.join(text);
}

export async function makePage() {
  const { script, style, modules } = await bundle();
  let page = readFileSync(resolve(ROOT, "src/page.html"), "utf8");
  page = fill(page, "SCRIPT_HASH", fingerprint(script));
  page = fill(page, "STYLE_HASH", fingerprint(style));
  page = fill(page, "NOTICES", notices(ROOT, modules));
  page = fill(page, "STYLE", style);
  page = fill(page, "SCRIPT", script);
  for (const placeholder of PLACEHOLDERS) {
    if (page.split(placeholder).length !== 2) throw new Error(`${placeholder} must be in the page once`);
  }
  return page;
}

const page = await makePage();
if (process.argv.includes("--check")) {
  if (readFileSync(PAGE, "utf8") !== page) {
    console.error("page.html is not what the sources give: run `npm run build` in report/ and commit the result");
    process.exit(1);
  }
  console.log("page.html is what the sources give");
} else {
  mkdirSync(dirname(PAGE), { recursive: true });
  writeFileSync(PAGE, page);
  console.log(`page.html: ${Math.round(page.length / 1000)} kB`);
}
