/** Entities: how many have a value in each column, and where the records behind them disagree. */
import { useMemo } from "preact/hooks";
import type { Entities, EntityColumn, EntityExample } from "../data";
import { count, counted, share } from "../model/format";
import { range } from "../model/groups";
import { otherValues } from "../model/other_values";
import { useReport, type Report } from "../model/report";
import { addressOf, opening, type Route } from "../route";
import { Code, FigureBar, Nothing, Panel, Section, Tag } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";
import { Value } from "../ui/value";

export function EntitiesSection({ route }: { route: Route }) {
  const report = useReport();
  const { entities } = report.facts;
  if (entities === null) return <Section title="Entities" says="What the records of each cluster became."><Nothing>This run has made no entities: its rules say nothing of them.</Nothing></Section>;
  const chosen = chosenColumn(entities, route);
  return (
    <Section title="Entities" says="One row for each cluster: how its values were taken, how many entities have one, and where their records disagree.">
      <Panel title="Columns" says={`${counted(entities.entities, "entity", "entities")}. An entity disagrees in a column where some of its records have another value there. A column leads to examples.`}>
        <Columns entities={entities} />
      </Panel>
      {chosen === null ? <Nothing>{entities.columns.every((column) => column.disagreeing === 0) ? "No two records of an entity disagree." : "No entity whose records disagree is in this report."}</Nothing> : <Examples report={report} route={route} column={chosen} />}
    </Section>
  );
}

/** The column that the address names, else the one with the most disagreement of those that have examples. */
function chosenColumn({ columns }: Entities, route: Route): EntityColumn | null {
  const named = columns[route.items[0] ?? -1];
  if (named !== undefined) return named;
  const shown = columns.filter((column) => column.examples.length > 0);
  return shown.reduce<EntityColumn | null>((most, column) => (most === null || column.disagreeing > most.disagreeing ? column : most), null);
}

function Columns({ entities }: { entities: Entities }) {
  const { columns } = entities;
  const at = (row: number): EntityColumn | undefined => columns[row];
  const part = (value: number): number => value / Math.max(1, entities.entities);
  const table: TableColumn[] = [
    { key: "name", title: "Column", sort: (row) => at(row)?.name ?? "", cell: (row) => <a href={addressOf("entities", [row])}><ColumnName column={at(row)} /></a> },
    { key: "take", title: "Taken", width: "10rem", sort: (row) => at(row)?.take ?? "", cell: (row) => <Code>{at(row)?.take ?? ""}</Code> },
    { key: "filled", title: "Entities with a value", end: true, width: "12rem", largestFirst: true, sort: (row) => at(row)?.filled ?? 0, cell: (row) => <FigureBar text={count(at(row)?.filled ?? 0)} share={part(at(row)?.filled ?? 0)} /> },
    { key: "filled-share", title: "Share", end: true, width: "6rem", largestFirst: true, sort: (row) => at(row)?.filled ?? 0, cell: (row) => share(part(at(row)?.filled ?? 0)) },
    { key: "disagreeing", title: "Records disagree", end: true, width: "12rem", largestFirst: true, help: "Entities some of whose records have another value than the entity", sort: (row) => at(row)?.disagreeing ?? 0, cell: (row) => <FigureBar text={count(at(row)?.disagreeing ?? 0)} share={part(at(row)?.disagreeing ?? 0)} tone="other" /> },
    { key: "disagreeing-share", title: "Share", end: true, width: "6rem", largestFirst: true, sort: (row) => at(row)?.disagreeing ?? 0, cell: (row) => share(part(at(row)?.disagreeing ?? 0)) },
  ];
  return <Table name="Columns of entities" one="column" rows={range(columns.length)} columns={table} href={(row) => addressOf("entities", [row])} />;
}

function ColumnName({ column }: { column: EntityColumn | undefined }) {
  if (column === undefined) return null;
  return <span class="column-name"><b>{column.name}</b>{column.masked && <Tag>masked</Tag>}</span>;
}

function Examples({ report, route, column }: { report: Report; route: Route; column: EntityColumn }) {
  const shown = column.examples.length < column.disagreeing ? ` ${count(column.examples.length)} of ${count(column.disagreeing)} are here, those with the most other values first.` : "";
  return (
    <Panel title={<>Where records disagree: <bdi>{column.name}</bdi></>} says={`${counted(column.disagreeing, "entity has", "entities have")} records with another value.${shown} A row leads to the records.`}>
      {column.examples.length === 0 ? <Nothing>{whyNone(column)}</Nothing> : <ExampleTable report={report} route={route} column={column} />}
    </Panel>
  );
}

function whyNone(column: EntityColumn): string {
  if (column.disagreeing > 0) return "None of them is in this report.";
  if (["sum", "mean", "union"].includes(column.take)) return "It is made of the values of all records.";
  return "The records of each entity agree, or have no value.";
}

function ExampleTable({ report, route, column }: { report: Report; route: Route; column: EntityColumn }) {
  const { tables } = report;
  const at = (row: number): EntityExample | undefined => column.examples[row];
  const cluster = (row: number): number => at(row)?.cluster ?? -1;
  const others = useMemo(() => column.examples.map((example) => otherValues(tables, column, example)), [tables, column]);
  const columns: TableColumn[] = [
    { key: "cluster", title: "Cluster", width: "12rem", sort: (row) => tables.clusters.id(cluster(row)), cell: (row) => <a href={opening(route, "cluster", cluster(row))}><Value text={tables.clusters.id(cluster(row))} /></a> },
    { key: "size", title: "Records", end: true, width: "6rem", largestFirst: true, sort: (row) => tables.clusters.size[cluster(row)] ?? 0, cell: (row) => count(tables.clusters.size[cluster(row)] ?? 0) },
    { key: "value", title: "Value of the entity", width: "16rem", sort: (row) => at(row)?.value ?? "", cell: (row) => <Value text={at(row)?.value ?? null} /> },
    { key: "record", title: "Taken from", width: "12rem", cell: (row) => <TakenFrom report={report} record={at(row)?.record ?? null} /> },
    { key: "others", title: "Other values", end: true, width: "7rem", largestFirst: true, sort: (row) => at(row)?.others ?? 0, cell: (row) => count(at(row)?.others ?? 0) },
    ...(column.column === null ? [] : [{ key: "values", title: "They are", cell: (row: number) => <OtherValues values={others[row] ?? []} all={at(row)?.others ?? 0} /> }]),
  ];
  return <Table class="wrapping" name={`Entities whose records disagree in ${column.name}`} one="entity" many="entities" rows={range(column.examples.length)} columns={columns} href={(row) => opening(route, "cluster", cluster(row))} />;
}

function TakenFrom({ report, record }: { report: Report; record: number | null }) {
  if (record === null) return <span class="missing">–</span>;
  return <a href={addressOf("search", [record])}><Value text={report.tables.records.id(record)} /></a>;
}

function OtherValues({ values, all }: { values: string[]; all: number }) {
  return (
    <span class="chips">
      {values.map((value) => <span key={value} class="chip" title={value.slice(0, 600)}><Value text={value.slice(0, 80)} /></span>)}
      {values.length < all && <span class="missing">and {count(all - values.length)} more</span>}
    </span>
  );
}
