/** Overview: the figures of the run, where they come from, and what this report holds. */
import type { InputFacts, Part, ReportFacts } from "../data";
import { bytes, count, counted, listed, moment, seconds, share } from "../model/format";
import { range } from "../model/groups";
import { foundBy } from "../model/rule_words";
import { addressOf } from "../route";
import { Bar, Code, Notice, Panel, Section, Tile } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";

export function OverviewSection({ facts }: { facts: ReportFacts }) {
  const { overview, words } = facts;
  return (
    <Section title="Overview" says="What went in, what came out, and what it took.">
      {words.warnings.map((warning) => <Notice kind="warning" key={warning}>{warning}</Notice>)}
      <Tiles facts={facts} />
      {overview.evaluation !== null && <EvaluationTiles facts={facts} />}
      <Funnel facts={facts} />
      <Inputs inputs={overview.inputs} />
      <RunFacts facts={facts} />
      <Holdings facts={facts} />
      {words.notes.length > 0 && (
        <Panel title="Notes of the run">{words.notes.map((note) => <Notice kind="note" key={note}>{note}</Notice>)}</Panel>
      )}
    </Section>
  );
}

function Tiles({ facts }: { facts: ReportFacts }) {
  const { overview, words } = facts;
  const largest = overview.largestCluster;
  return (
    <div class="tiles">
      <Tile name="Records" value={count(overview.records)} more={counted(overview.inputs.length, "input")} href={addressOf("data")} />
      <Tile name="Pairs" value={count(overview.pairs)} more={foundBy(facts.rules)} href={addressOf("pairs")} />
      <Tile name="Clusters of two or more" value={count(overview.clustersOfTwoOrMore)} more={largest === null || largest.records < 2 ? "none" : `the largest has ${counted(largest.records, "record")}`} href={addressOf("clusters")} />
      <Tile name="Duplicates" value={count(overview.duplicates)} more="records less clusters" href={addressOf("clusters")} />
      <Tile name="Time" value={seconds(overview.seconds)} more={words.device} href={addressOf("plan")} />
      <Tile name="Memory" value={overview.peakMemoryBytes === null ? "–" : bytes(overview.peakMemoryBytes)} more={overview.peakMemoryBytes === null ? "not measured" : "the most at any time"} />
    </div>
  );
}

function EvaluationTiles({ facts }: { facts: ReportFacts }) {
  const evaluation = facts.overview.evaluation;
  if (evaluation === null) return null;
  const text = (value: number | null): string => (value === null ? "–" : value.toFixed(4));
  return (
    <Panel title="Compared with the truth" says={`${count(evaluation.both)} of ${count(evaluation.found)} pairs found are true, of ${count(evaluation.truePairs)} true pairs in all.`}>
      <div class="tiles">
        <Tile name="Precision" value={text(evaluation.precision)} more="of the pairs found, those that are true" href={addressOf("rules")} />
        <Tile name="Recall" value={text(evaluation.recall)} more="of the true pairs, those that were found" href={addressOf(facts.scores === null ? "rules" : "scores")} />
        <Tile name="F1" value={text(evaluation.f1)} more="their harmonic mean" />
      </div>
    </Panel>
  );
}

/** From all pairs to clusters; lengths are logarithms, because the numbers are far apart. */
function Funnel({ facts }: { facts: ReportFacts }) {
  const { overview } = facts;
  const steps = [
    { name: "Possible pairs", value: overview.possiblePairs, href: addressOf("data"), of: "" },
    { name: "Candidates, looked at", value: overview.candidates, href: addressOf("plan"), of: partOf(overview.candidates, overview.possiblePairs, "of all possible pairs") },
    { name: "Pairs, found", value: overview.pairs, href: addressOf("pairs"), of: partOf(overview.pairs, overview.candidates, "of the candidates") },
  ];
  const most = Math.log10(Math.max(10, overview.possiblePairs));
  return (
    <Panel title="From all pairs to the result" says="Each step keeps a part of the one before. Lengths of bars are logarithms.">
      <table class="funnel">
        <caption class="for-readers">From all pairs to the result</caption>
        <tbody>
          {steps.map((step) => (
            <tr key={step.name}>
              <th scope="row"><a href={step.href}>{step.name}</a></th>
              <td class="end">{count(step.value)}</td>
              <td class="bar-cell"><Bar share={step.value > 0 ? Math.max(0.01, Math.log10(step.value) / most) : 0} /></td>
              <td class="hint">{step.of}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}

function partOf(value: number, all: number, words: string): string {
  return all === 0 ? "" : `${share(value / all)} ${words}`;
}

function Inputs({ inputs }: { inputs: InputFacts[] }) {
  const at = (row: number): InputFacts | undefined => inputs[row];
  const columns: TableColumn[] = [
    { key: "name", title: "Input", width: "9rem", cell: (row) => <b>{at(row)?.name}</b> },
    { key: "files", title: "Files", cell: (row) => at(row)?.files.map((file) => <div key={file.path} class="path">{file.path}{file.bytes !== null && <span class="hint"> {bytes(file.bytes)}</span>}</div>) },
    { key: "records", title: "Records", end: true, width: "7rem", cell: (row) => count(at(row)?.records ?? 0) },
    { key: "skipped", title: "Without id", end: true, width: "7rem", help: "Records that were left out because they have no id", cell: (row) => count(at(row)?.skipped ?? 0) },
    { key: "id", title: "Id column", width: "7rem", cell: (row) => at(row)?.idColumn },
    { key: "hash", title: "Hash", width: "18rem", help: "128-bit XXH3 hash of the columns that the run read", cell: (row) => <Code>{at(row)?.hash || "–"}</Code> },
  ];
  return (
    <Panel title="Inputs" says="The hash is of the columns that the run read: the same hash, the same data.">
      <Table name="Inputs" rows={range(inputs.length)} columns={columns} />
    </Panel>
  );
}

function RunFacts({ facts }: { facts: ReportFacts }) {
  const { header, overview, words } = facts;
  return (
    <Panel title="The run">
      <dl class="facts">
        {header.started !== "" && <><dt>Started</dt><dd>{moment(header.started)}</dd></>}
        <dt>Ran</dt><dd>{words.device}, version {overview.version}</dd>
        {header.command.length > 0 && <><dt>Command</dt><dd><Code>{header.command.join(" ")}</Code></dd></>}
        {header.folder !== "" && <><dt>Folder</dt><dd class="path">{header.folder}</dd></>}
        {overview.files.length > 0 && <><dt>Files</dt><dd>{overview.files.map((file) => <span key={file.name} class="file">{file.name} <span class="hint">{bytes(file.bytes)}</span></span>)}</dd></>}
      </dl>
    </Panel>
  );
}

function Holdings({ facts }: { facts: ReportFacts }) {
  const { sampling, header, words } = facts;
  const parts: [string, Part][] = [["records", sampling.records], ["clusters of two or more", sampling.clusters], ["pairs, condition by condition", sampling.pairs]];
  if (sampling.near !== null) parts.push(["near pairs, condition by condition", sampling.near]);
  return (
    <Panel title="What this report holds" says={`A file of at most ${bytes(sampling.budgetBytes)}. The same run and options always give the same report (seed ${sampling.seed}).`}>
      <ul class="holdings">
        {parts.map(([name, part]) => <li key={name}><b>{part.shown === part.all ? `all ${count(part.all)}` : `${count(part.shown)} of ${count(part.all)}`}</b> {name}</li>)}
        {header.shownColumns.length > 0 && <li>values of {listed(header.shownColumns)}</li>}
        {header.maskedColumns.length > 0 && <li>masks in place of the values of {listed(header.maskedColumns)}: equal values have equal masks</li>}
      </ul>
      {words.sampling.map((note) => <Notice kind="note" key={note}>{note}</Notice>)}
    </Panel>
  );
}
