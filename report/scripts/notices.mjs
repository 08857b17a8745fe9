// The licences of the packages whose code is in the page.
import { existsSync, readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";

/** The package that a bundled module belongs to; undefined for our own. */
function packageOf(module) {
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(module)?.[1];
}

function licenceText(folder) {
  const name = readdirSync(folder).find((file) => /^licen[cs]e/i.test(file));
  return name === undefined ? "" : readFileSync(join(folder, name), "utf8").trim();
}

/** One text with name, version and licence of each package, fit for an HTML comment. */
export function notices(root, modules) {
  const names = [...new Set(modules.map(packageOf).filter((name) => name !== undefined))].sort();
  const parts = names.map((name) => {
    const folder = join(root, "node_modules", name);
    if (!existsSync(folder)) throw new Error(`${name} is not installed`);
    const { version, license } = JSON.parse(readFileSync(join(folder, "package.json"), "utf8"));
    return `${name} ${version} (${license})\n\n${licenceText(folder)}`;
  });
  return parts.join("\n\n").replaceAll("--", "- -");
}
