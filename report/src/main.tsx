/** Starts the page: shows what the facts tell at once, and the rest when the tables are read. */
import { render } from "preact";
import { App } from "./app";
import { readFacts, readTables } from "./model/decode";
import { makeTables } from "./model/tables";
import { warm } from "./model/warm";
import { applyTheme, currentTheme } from "./theme";

async function start(): Promise<void> {
  const root = document.getElementById("page");
  if (root === null) return;
  applyTheme(currentTheme());
  try {
    const facts = await readFacts();
    root.replaceChildren();
    render(<App facts={facts} report={null} />, root);
    const tables = makeTables(facts, await readTables());
    render(<App facts={facts} report={{ facts, tables }} />, root);
    warm(facts, tables);
  } catch (problem) {
    render(<Problem text={problem instanceof Error ? problem.message : String(problem)} />, root);
  }
}

function Problem({ text }: { text: string }) {
  return (
    <div class="starting" role="alert">
      <h1>This report cannot be shown</h1>
      <p>{text}</p>
      <p>It may not have been written to its end, or the browser may be too old. Make it again with <code>sameas report</code>.</p>
    </div>
  );
}

void start();
