/** A record: its values, its cluster, its pairs and its nearest misses. */
import { useMemo } from "preact/hooks";
import { Graph, graphOf } from "../charts/graph";
import { counted } from "../model/format";
import { splitColumns } from "../model/shown_columns";
import { useReport } from "../model/report";
import { PAIR } from "../model/tables";
import { addressOf, opening, useRoute } from "../route";
import { Code, Nothing, Panel, Picture, Tag } from "../ui/parts";
import { FullValue, Value } from "../ui/value";
import { IdSearch } from "./id_search";
import { clusterSentence, RecordTable } from "./cluster_view";
import { PairTable } from "./pair_table";

export function RecordView({ record }: { record: number }) {
  const { facts, tables } = useReport();
  const { records } = tables;
  const input = facts.overview.inputs[records.input[record] ?? 0];
  const explained = useMemo(() => Array.from(tables.pairsOfRecord().of(record)), [tables, record]);
  const kind = (pair: number): number => tables.pairs.kind[pair] ?? 0;
  const found = explained.filter((pair) => kind(pair) === PAIR.result);
  // Where scores decide, the highest comes first, else the one that misses its threshold by least.
  const nearness = (pair: number): number => (facts.scores === null ? tables.pairs.slack[pair] : tables.pairs.score[pair]) ?? -9;
  const misses = explained.filter((pair) => kind(pair) !== PAIR.result).sort((a, b) => nearness(b) - nearness(a));
  return (
    <article class="record-view">
      <h2><Value text={records.id(record)} /> {facts.overview.inputs.length > 1 && <Tag>{input?.name}</Tag>} <a class="back" href={addressOf("search")}>all records</a></h2>
      <Panel title="Values">
        <RecordValues record={record} />
        <IdSearch label="Compare with the record" button="Compare" to={(other) => addressOf("search", [record, other])} />
      </Panel>
      <Panel title="Cluster"><RecordCluster record={record} /></Panel>
      <Panel title="Pairs" says={`${counted(records.degree[record] ?? 0, "pair")} of the run; ${found.length} with reasons in this report.`}>
        {found.length === 0 ? <Nothing>{(records.degree[record] ?? 0) === 0 ? "It is in no pair." : "None of its pairs is explained in this report."}</Nothing> : <PairTable name="Pairs of the record" pairs={found} withRule />}
      </Panel>
      <Panel title="Nearest misses" says={facts.words.search}>
        {misses.length === 0 ? <Nothing>{facts.search.misses === "none" ? "Near misses were not looked for." : "No near miss of this record is in this report."}</Nothing> : <PairTable name="Nearest misses of the record" pairs={misses} withRule />}
      </Panel>
    </article>
  );
}

function RecordValues({ record }: { record: number }) {
  const { facts, tables } = useReport();
  if (facts.columns.length === 0) return <Nothing>{facts.words.withoutValues ?? "No values are in this report."}</Nothing>;
  const { given, derived } = splitColumns(facts);
  return (
    <dl class="facts values">
      {[...given, ...derived].map((place) => {
        const column = facts.columns[place];
        if (column === undefined) return null;
        return (
          <div key={column.key}>
            <dt>{column.name} {column.derived && <Tag title={column.expression ?? ""}>derived</Tag>}{column.masked && <Tag>masked</Tag>}</dt>
            <dd><FullValue text={tables.records.value(place, record)} />{column.derived && column.expression !== null && <span class="hint expression"><Code>{column.expression}</Code></span>}</dd>
          </div>
        );
      })}
    </dl>
  );
}

function RecordCluster({ record }: { record: number }) {
  const report = useReport();
  const route = useRoute();
  const { tables } = report;
  const cluster = tables.records.cluster[record] ?? -1;
  const data = useMemo(() => (cluster < 0 ? null : graphOf(report, cluster)), [report, cluster]);
  if (data === null) {
    const size = tables.records.clusterSize[record] ?? 1;
    return <Nothing>{size < 2 ? "It is in no cluster with another record." : `Its cluster has ${counted(size, "record")} and is not in this report.`}</Nothing>;
  }
  const others = Array.from(tables.recordsOfCluster().of(cluster)).filter((other) => other !== record);
  return (
    <>
      <p>{clusterSentence(report, cluster)} <a href={opening(route, "cluster", cluster)}>Open the cluster</a></p>
      {data.records.length > 2 && <Picture name="Graph of its cluster"><Graph data={data} height={300} /></Picture>}
      <RecordTable name="The other records of its cluster" records={others} />
    </>
  );
}
