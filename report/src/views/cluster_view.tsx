/** A cluster: its graph, its records and its pairs. */
import { useMemo } from "preact/hooks";
import { Graph, graphOf, MOST_NODES, NodeShape, type GraphData } from "../charts/graph";
import { ruleLook } from "../charts/looks";
import { count, counted, share } from "../model/format";
import { range } from "../model/groups";
import { cutBy } from "../model/cut";
import { ruleName, scoreText, useReport, type Report } from "../model/report";
import { addressOf, opening, useRoute } from "../route";
import { Picture, Tag } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";
import { Value } from "../ui/value";
import { columnsToShow, widthOfColumn } from "../model/shown_columns";

export function ClusterView({ cluster }: { cluster: number }) {
  const report = useReport();
  const { tables } = report;
  const data = useMemo(() => graphOf(report, cluster), [report, cluster]);
  const { size, shown, pairs } = tables.clusters;
  return (
    <article class="cluster-view">
      <h2 tabIndex={-1}>Cluster <Value text={tables.clusters.id(cluster)} /></h2>
      <p class="says">{clusterSentence(report, cluster)}</p>
      {data.records.length > 2 && (
        <Picture name={`Graph of the cluster: ${counted(data.records.length, "record")}, ${counted(data.edges.length, "pair")}`}>
          <Graph data={data} height={data.records.length > 12 ? 520 : 340} />
        </Picture>
      )}
      {data.records.length > 2 && <Legend report={report} data={data} />}
      {data.left > 0 && <p class="hint">The picture has the {count(MOST_NODES)} records with the most pairs.</p>}
      <h3>Records</h3>
      {(shown[cluster] ?? 0) < (size[cluster] ?? 0) && <p class="hint">{count(shown[cluster] ?? 0)} of {count(size[cluster] ?? 0)} records are in this report.</p>}
      <RecordTable name="Records of the cluster" records={Array.from(tables.recordsOfCluster().of(cluster))} />
      <h3>Pairs</h3>
      {(tables.clusters.edges[cluster] ?? 0) < (pairs[cluster] ?? 0) && <p class="hint">{count(tables.clusters.edges[cluster] ?? 0)} of {count(pairs[cluster] ?? 0)} pairs are in this report.</p>}
      <EdgeTable report={report} edges={Array.from(tables.edgesOfCluster().of(cluster))} withBridges={(size[cluster] ?? 0) > 2} />
      {(tables.clusters.cut[cluster] ?? 0) > 0 && <CutPairs report={report} cluster={cluster} />}
    </article>
  );
}

/** Size, pairs, cohesion and the worst bridge. */
export function clusterSentence({ tables }: Report, cluster: number): string {
  const { size, pairs, possible, bridges, smallerPart } = tables.clusters;
  const cohesion = (pairs[cluster] ?? 0) / (possible[cluster] ?? 1);
  const start = `${counted(size[cluster] ?? 0, "record")}, ${counted(pairs[cluster] ?? 0, "pair")} of ${count(possible[cluster] ?? 0)} possible (${share(cohesion)}).`;
  if ((size[cluster] ?? 0) < 3 || (bridges[cluster] ?? -1) < 0) return start;
  if (bridges[cluster] === 0) return `${start} No single pair holds it together.`;
  const part = smallerPart[cluster] ?? 1;
  const which = bridges[cluster] === 1 ? "it" : "the worst one";
  return `${start} ${counted(bridges[cluster] ?? 0, "bridge")}: without ${which}, ${counted(part, "record")} would part from the rest.`;
}

function Legend({ report, data }: { report: Report; data: GraphData }) {
  const { facts, tables } = report;
  const rules = [...new Set(data.edges.map((edge) => tables.edges.rule[edge] ?? 0))].sort((a, b) => a - b);
  const bridged = data.edges.some((edge) => tables.edges.bridge(edge));
  return (
    <ul class="legend" aria-label="Legend">
      {rules.map((rule) => (
        <li key={rule}>
          <svg width="34" height="12" aria-hidden="true"><line class={`edge-line ${ruleLook(rule).tone}`} stroke-dasharray={ruleLook(rule).dash} x1="1" x2="33" y1="6" y2="6" /></svg>
          <b>{rule + 1}</b> {ruleName(facts, rule)}
        </li>
      ))}
      {bridged && <li><svg width="34" height="14" aria-hidden="true"><line class="bridge-edge" x1="5" x2="29" y1="7" y2="7" /><line class="edge-line" x1="1" x2="33" y1="7" y2="7" /></svg>bridge: the cluster falls apart without it</li>}
      {data.cut.length > 0 && <li><svg width="34" height="12" aria-hidden="true"><line class="cut-edge" x1="1" x2="33" y1="6" y2="6" /></svg>pairs with other clusters, which were cut</li>}
      {facts.overview.inputs.length > 1 && facts.overview.inputs.map((input, i) => (
        <li key={input.name}><svg width="18" height="18" viewBox="-9 -9 18 18" aria-hidden="true"><NodeShape input={i} size={6} /></svg>{input.name}</li>
      ))}
    </ul>
  );
}

/** Records in a table, each with the way to all that is known of it. */
export function RecordTable({ name, records, filter, textOf }: { name: string; records: ArrayLike<number>; filter?: boolean; textOf?: (row: number) => string }) {
  const report = useReport();
  const columns = useMemo(() => recordColumns(report), [report]);
  return <Table name={name} one="record" rows={records} columns={columns} href={(record) => addressOf("search", [record])} textOf={filter === true ? textOf : undefined} />;
}

function recordColumns({ facts, tables }: Report): TableColumn[] {
  const { records } = tables;
  const inputs = facts.overview.inputs;
  return [
    { key: "id", title: "Id", width: "12rem", sort: (row) => records.idRank(row), cell: (row) => <a href={addressOf("search", [row])}><Value text={records.id(row)} /></a> },
    ...(inputs.length > 1 ? [{ key: "input", title: "Input", width: "7rem", sort: (row: number) => records.input[row] ?? 0, cell: (row: number) => inputs[records.input[row] ?? 0]?.name }] : []),
    { key: "degree", title: "Pairs", end: true, width: "5rem", largestFirst: true, sort: (row) => records.degree[row] ?? 0, cell: (row) => count(records.degree[row] ?? 0) },
    ...columnsToShow(facts, 6).map((place): TableColumn => ({
      key: facts.columns[place]?.key ?? "",
      title: facts.columns[place]?.name ?? "",
      width: widthOfColumn(facts, tables, place),
      sort: (row) => records.valueRank(place, row),
      cell: (row) => <span title={records.value(place, row)?.slice(0, 600) ?? ""}><Value text={records.value(place, row)?.slice(0, 200) ?? null} /></span>,
    })),
  ];
}

function EdgeTable({ report, edges, withBridges }: { report: Report; edges: number[]; withBridges: boolean }) {
  const route = useRoute();
  const { facts, tables } = report;
  const at = (row: number): number => edges[row] ?? 0;
  const id = (record: number) => <Value text={tables.records.id(record)} />;
  const columns: TableColumn[] = [
    { key: "left", title: "One record", sort: (row) => tables.records.idRank(tables.edges.left[at(row)] ?? 0), cell: (row) => <a href={opening(route, "edge", at(row))}>{id(tables.edges.left[at(row)] ?? 0)}</a> },
    { key: "right", title: "The other", sort: (row) => tables.records.idRank(tables.edges.right[at(row)] ?? 0), cell: (row) => id(tables.edges.right[at(row)] ?? 0) },
    { key: "rule", title: "Rule", sort: (row) => tables.edges.rule[at(row)] ?? 0, cell: (row) => <span class="clamp"><b>{(tables.edges.rule[at(row)] ?? 0) + 1}</b> {ruleName(facts, tables.edges.rule[at(row)] ?? 0)}</span> },
    ...(facts.scores === null ? [] : [{ key: "score", title: facts.scores.kind === "weight" ? "Weight" : "Score", end: true, width: "6rem", sort: (row: number) => tables.edges.score[at(row)] ?? NaN, cell: (row: number) => scoreText(report, tables.edges.score[at(row)] ?? NaN) }]),
    ...(withBridges ? [{ key: "bridge", title: "Bridge", width: "11rem", sort: (row: number) => tables.edges.smallerPart[at(row)] ?? -1, largestFirst: true, cell: (row: number) => tables.edges.bridge(at(row)) ? <Tag tone="other">parts off {counted(tables.edges.smallerPart[at(row)] ?? 1, "record")}</Tag> : "" }] : []),
  ];
  return <Table name="Pairs of the cluster" one="pair" rows={useMemo(() => range(edges.length), [edges.length])} columns={columns} href={(row) => opening(route, "edge", at(row))} />;
}

/** The pairs with records of other clusters, which were cut. */
function CutPairs({ report, cluster }: { report: Report; cluster: number }) {
  const { facts, tables } = report;
  const { cut } = tables;
  const rows = useMemo(() => tables.cutOfCluster().of(cluster), [tables, cluster]);
  const all = tables.clusters.cut[cluster] ?? 0;
  const record = (row: number): number => cut.record[row] ?? 0;
  const columns: TableColumn[] = [
    { key: "record", title: "Record", sort: (row) => tables.records.idRank(record(row)), cell: (row) => <a href={addressOf("search", [record(row)])}><Value text={tables.records.id(record(row))} /></a> },
    { key: "other", title: "Record of another cluster", sort: (row) => cut.otherId(row), cell: (row) => <OtherRecord id={cut.otherId(row)} record={cut.other[row] ?? -1} /> },
    { key: "cluster", title: "Its cluster", sort: (row) => cut.otherCluster(row), cell: (row) => <Value text={cut.otherCluster(row)} /> },
    { key: "rule", title: "Rule", sort: (row) => cut.rule[row] ?? 0, cell: (row) => <span class="clamp"><b>{(cut.rule[row] ?? 0) + 1}</b> {ruleName(facts, cut.rule[row] ?? 0)}</span> },
    ...(facts.scores === null ? [] : [{ key: "score", title: facts.scores.kind === "weight" ? "Weight" : "Score", end: true, width: "6rem", sort: (row: number) => cut.score[row] ?? NaN, cell: (row: number) => scoreText(report, cut.score[row] ?? NaN) }]),
    { key: "cause", title: "Cut by", width: "11rem", sort: (row) => cut.cause(row), cell: (row) => cutBy(cut.cause(row)) },
  ];
  return (
    <>
      <h3>Pairs that were cut</h3>
      {rows.length < all && <p class="hint">{count(rows.length)} of {count(all)} pairs with records of other clusters are in this report.</p>}
      <Table name="Pairs that were cut" one="pair" rows={rows} columns={columns} />
    </>
  );
}

/** A record of another cluster, with the way to it where it is in the report. */
function OtherRecord({ id, record }: { id: string; record: number }) {
  if (record < 0) return <Value text={id} />;
  return <a href={addressOf("search", [record])}><Value text={id} /></a>;
}
