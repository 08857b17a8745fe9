// Turns TypeScript files into modules that Node runs, in `.build`.
import { build } from "esbuild";
import { basename, dirname, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = resolve(dirname(fileURLToPath(import.meta.url)), "..");

export async function compile(files) {
  await build({
    absWorkingDir: ROOT,
    entryPoints: files,
    bundle: true,
    packages: "external",
    platform: "node",
    format: "esm",
    target: "node20",
    outdir: ".build",
    entryNames: "[name]",
    outExtension: { ".js": ".mjs" },
    define: { "process.env.REPORT_ROOT": JSON.stringify(ROOT) },
    logLevel: "warning",
  });
  return files.map((file) => resolve(ROOT, ".build", `${basename(file, ".ts")}.mjs`));
}
