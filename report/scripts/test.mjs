// Runs all tests: `npm test`, or `npm test -- NAME` for those of one file.
import { compile } from "./compile.mjs";
import { spawnSync } from "node:child_process";
import { readdirSync } from "node:fs";

const wanted = process.argv[2] ?? "";
const files = readdirSync("tests", { recursive: true })
  .filter((name) => name.endsWith(".test.ts") && name.includes(wanted))
  .sort()
  .map((name) => `tests/${name}`);
const scripts = await compile(files);
const result = spawnSync(process.execPath, ["--test", "--test-concurrency=1", "--test-reporter=spec", ...scripts], { stdio: "inherit" });
process.exit(result.status ?? 1);
