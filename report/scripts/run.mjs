// Runs a TypeScript file of this folder: `node scripts/run.mjs FILE [ARGUMENT]...`.
import { compile } from "./compile.mjs";
import { spawnSync } from "node:child_process";

const [file, ...rest] = process.argv.slice(2);
const [script] = await compile([file]);
process.exit(spawnSync(process.execPath, [script, ...rest], { stdio: "inherit" }).status ?? 1);
