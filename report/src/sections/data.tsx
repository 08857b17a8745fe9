/** Data: what the columns hold, and which values make the most candidates. */
import type { ColumnFacts } from "../data";
import { count, estimate, share, shorten } from "../model/format";
import { range } from "../model/groups";
import { useReport } from "../model/report";
import { Code, FigureBar, Nothing, Panel, Section, Tag } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";
import { Value } from "../ui/value";

export function DataSection() {
  const { facts } = useReport();
  return (
    <Section title="Data" says="What the columns hold: missing values, different values, frequent ones; and the keys that cost most.">
      {facts.overview.inputs.map((input, number) => (
        <InputColumns key={input.name} name={input.name} records={input.records} columns={facts.data.columns.filter((column) => column.input === number)} />
      ))}
      <HeavyKeys />
    </Section>
  );
}

function InputColumns({ name, records, columns }: { name: string; records: number; columns: ColumnFacts[] }) {
  const at = (row: number): ColumnFacts | undefined => columns[row];
  const part = (row: number, value: number): number => value / Math.max(1, at(row)?.records ?? 1);
  const table: TableColumn[] = [
    { key: "name", title: "Column", width: "13rem", sort: (row) => at(row)?.name ?? "", cell: (row) => <ColumnName column={at(row)} /> },
    { key: "nulls", title: "Missing", end: true, width: "8.5rem", largestFirst: true, sort: (row) => at(row)?.nulls ?? 0, cell: (row) => <FigureBar text={share(part(row, at(row)?.nulls ?? 0))} share={part(row, at(row)?.nulls ?? 0)} tone="other" /> },
    { key: "distinct", title: "Different values", end: true, width: "10rem", largestFirst: true, sort: (row) => at(row)?.distinct ?? NaN, cell: (row) => <FigureBar text={estimate(at(row)?.distinct ?? 0, at(row)?.exact ?? true)} share={part(row, at(row)?.distinct ?? 0)} /> },
    { key: "heavy", title: "Most frequent values", width: "20rem", cell: (row) => <HeavyValues column={at(row)} /> },
    ...(columns.every((column) => column.unreadable === 0) ? [] : [unreadable(at)]),
  ];
  return (
    <Panel title={name} says={`${count(records)} records.`}>
      {columns.length === 0 ? <Nothing>Its columns were not looked at.</Nothing> : <Table class="wrapping" name={`Columns of ${name}`} rows={range(columns.length)} columns={table} />}
    </Panel>
  );
}

function unreadable(at: (row: number) => ColumnFacts | undefined): TableColumn {
  return { key: "unreadable", title: "Unreadable", end: true, width: "8rem", help: "Values that a rule needs as a number or date and that are neither", largestFirst: true, sort: (row) => at(row)?.unreadable ?? 0, cell: (row) => count(at(row)?.unreadable ?? 0) };
}

function ColumnName({ column }: { column: ColumnFacts | undefined }) {
  if (column === undefined) return null;
  return (
    <span class="column-name">
      {column.kind === "expression" ? <Code>{column.name}</Code> : <b>{column.name}</b>}
      {column.kind === "derived" && <Tag title="Computed by the rules">derived</Tag>}
      {column.personal && <Tag tone="other" title="Seems to hold personal data">personal?</Tag>}
      {column.masked && <Tag>masked</Tag>}
      {!column.used && <Tag title="No rule reads it">unused</Tag>}
    </span>
  );
}

function HeavyValues({ column }: { column: ColumnFacts | undefined }) {
  if (column === undefined || column.heavy.length === 0) return <span class="missing">{column?.exact === false ? "none that many have" : "none twice"}</span>;
  return (
    <span class="chips">
      {column.heavy.map((heavy) => <span key={heavy.value} class="chip" title={heavy.value}><Value text={shorten(heavy.value, 32)} /> <b>{estimate(heavy.records, column.exact)}</b></span>)}
    </span>
  );
}

function HeavyKeys() {
  const { heavyKeys } = useReport().facts.data;
  const at = (row: number) => heavyKeys[row];
  const most = Math.max(1, ...heavyKeys.map((key) => key.candidates));
  const columns: TableColumn[] = [
    { key: "on", title: "Joined on", width: "20rem", sort: (row) => at(row)?.on ?? "", cell: (row) => <span class="clamp"><Code>{at(row)?.on ?? ""}</Code></span> },
    { key: "value", title: "Value", sort: (row) => at(row)?.value ?? "", cell: (row) => <Value text={at(row)?.value ?? null} /> },
    { key: "records", title: "Records", end: true, width: "8rem", largestFirst: true, sort: (row) => at(row)?.records ?? 0, cell: (row) => estimate(at(row)?.records ?? 0, at(row)?.exact ?? true) },
    { key: "candidates", title: "Candidates", end: true, width: "13rem", largestFirst: true, sort: (row) => at(row)?.candidates ?? 0, cell: (row) => <FigureBar text={estimate(at(row)?.candidates ?? 0, at(row)?.exact ?? true)} share={(at(row)?.candidates ?? 0) / most} /> },
  ];
  return (
    <Panel title="Keys that make the most candidates" says="A value that many records share makes many candidates: those of a missing value in disguise are wasted.">
      {heavyKeys.length === 0 ? <Nothing>No join of this run has a key that many records share.</Nothing> : <Table name="Keys with the most candidates" rows={range(heavyKeys.length)} columns={columns} />}
    </Panel>
  );
}
