/** Clusters: their sizes, and those worth looking at, drawn. */
import { useMemo, useState } from "preact/hooks";
import { Graph, graphOf } from "../charts/graph";
import { count, counted, share } from "../model/format";
import { range } from "../model/groups";
import { useReport, type Report } from "../model/report";
import { addressOf, changed, opening, queryNumber, type Route } from "../route";
import { Bar, FigureBar, Nothing, Panel, Section, Tag } from "../ui/parts";
import { Table, type TableColumn } from "../ui/table";
import { Value } from "../ui/value";
import { clusterSentence } from "../views/cluster_view";
import { SweepPanel } from "../views/sweep_view";

export function ClustersSection({ route }: { route: Route }) {
  const report = useReport();
  const { facts, tables } = report;
  const { overview, sampling } = facts;
  return (
    <Section title="Clusters" says="How many records were found to mean the same thing, and which of these groups deserve a second look.">
      <Panel title="Sizes" says={`${counted(overview.clusters, "cluster")} in all, ${count(overview.clustersOfTwoOrMore)} of two records or more. A size leads to its clusters.`}>
        <Sizes report={report} route={route} />
      </Panel>
      {facts.sweep !== null && <SweepPanel sweep={facts.sweep} words={facts.words.sweep} />}
      {tables.clusters.length === 0 ? <Nothing>No two records belong together, so there is no cluster to draw.</Nothing> : (
        <>
          <Remarkable report={report} route={route} />
          <Panel title="All clusters in this report" says={`${count(tables.clusters.length)} of ${count(sampling.clusters.all)} clusters of two records or more${tables.clusters.length > sampling.clusters.shown ? `, ${count(sampling.clusters.shown)} of them with all their records` : ""}. Cohesion is the share of possible pairs that are pairs.`}>
            <AllClusters report={report} route={route} />
          </Panel>
        </>
      )}
    </Section>
  );
}

function Sizes({ report, route }: { report: Report; route: Route }) {
  const { sizes } = report.facts.clusters;
  const at = (row: number) => sizes[row];
  const most = Math.max(1, ...sizes.map((size) => size.clusters));
  // Logarithms, because there are often a thousand times as many small clusters as large ones.
  const length = (value: number): number => (value <= 0 ? 0 : (Math.log10(value) + 0.3) / (Math.log10(most) + 0.3));
  const name = (row: number): string => {
    const size = at(row);
    if (size === undefined) return "";
    return size.least === size.most ? count(size.least) : `${count(size.least)} to ${count(size.most)}`;
  };
  const columns: TableColumn[] = [
    { key: "size", title: "Size, in records", width: "10rem", sort: (row) => at(row)?.least ?? 0, cell: (row) => (at(row)?.most ?? 0) < 2 ? name(row) : <a href={changed(route, { least: String(at(row)?.least), most: String(at(row)?.most) })}>{name(row)}</a> },
    { key: "clusters", title: "Clusters", end: true, width: "8rem", sort: (row) => at(row)?.clusters ?? 0, largestFirst: true, cell: (row) => count(at(row)?.clusters ?? 0) },
    { key: "bar", title: <span class="hint">length of bars: logarithm</span>, cell: (row) => <Bar share={length(at(row)?.clusters ?? 0)} /> },
    { key: "records", title: "Records", end: true, width: "8rem", sort: (row) => at(row)?.records ?? 0, largestFirst: true, cell: (row) => count(at(row)?.records ?? 0) },
  ];
  return <Table name="Clusters by size" rows={useMemo(() => range(sizes.length), [sizes])} columns={columns} />;
}

const KINDS = [
  { key: "bridged", title: "Held together by one pair", says: "One pair alone joins two groups: without it the cluster falls apart. Is that pair right?" },
  { key: "leastCohesive", title: "Least cohesive", says: "Few of the pairs that the cluster could have are pairs." },
  { key: "largest", title: "Largest", says: "The clusters with the most records." },
] as const;

function Remarkable({ report, route }: { report: Report; route: Route }) {
  const { clusters, sampling } = { clusters: report.facts.clusters, sampling: report.facts.sampling };
  const present = KINDS.filter(({ key }) => clusters[key].length > 0);
  const [chosen, setChosen] = useState<string>(present[0]?.key ?? "");
  const kind = present.find(({ key }) => key === chosen) ?? present[0];
  if (kind === undefined) return null;
  const looked = sampling.bridges.shown === sampling.bridges.all ? "" : ` Bridges were looked for in ${count(sampling.bridges.shown)} of ${count(sampling.bridges.all)} clusters of three records or more.`;
  return (
    <Panel title="Worth looking at" says={`${counted(clusters.withBridge, "cluster has", "clusters have")} a pair that alone joins two groups of two records or more.${looked}`}>
      <div class="choices" role="group" aria-label="Which clusters">
        {present.map(({ key, title }) => <button key={key} type="button" aria-pressed={key === kind.key} onClick={() => setChosen(key)}>{title} <span class="choice-count">{clusters[key].length}</span></button>)}
      </div>
      <p class="hint">{kind.says}</p>
      <ul class="cards">{clusters[kind.key].map((cluster) => <ClusterCard key={`${kind.key} ${cluster}`} report={report} route={route} cluster={cluster} />)}</ul>
    </Panel>
  );
}

function ClusterCard({ report, route, cluster }: { report: Report; route: Route; cluster: number }) {
  const data = useMemo(() => graphOf(report, cluster), [report, cluster]);
  return (
    <li>
      <a class="card" href={opening(route, "cluster", cluster)}>
        <Graph data={data} height={170} small />
        <b class="clamp"><Value text={report.tables.clusters.id(cluster)} /></b>
        <span class="hint">{clusterSentence(report, cluster)}</span>
      </a>
    </li>
  );
}

function AllClusters({ report, route }: { report: Report; route: Route }) {
  const { clusters } = report.tables;
  const [least, most] = [queryNumber(route, "least"), queryNumber(route, "most")];
  const rows = useMemo(() => {
    const all = Array.from(range(clusters.length));
    return least < 0 ? all : all.filter((row) => (clusters.size[row] ?? 0) >= least && (clusters.size[row] ?? 0) <= most);
  }, [clusters, least, most]);
  const texts = useMemo(() => (row: number) => clusters.id(row).toLowerCase(), [clusters]);
  const cohesion = (row: number): number => (clusters.pairs[row] ?? 0) / (clusters.possible[row] ?? 1);
  // The pair of two records is no bridge worth a word.
  const bridges = (row: number): number => ((clusters.size[row] ?? 0) < 3 ? -1 : (clusters.bridges[row] ?? -1));
  const columns: TableColumn[] = [
    { key: "id", title: "Cluster", sort: (row) => clusters.id(row), cell: (row) => <a href={opening(route, "cluster", row)}><Value text={clusters.id(row)} /></a> },
    { key: "size", title: "Records", end: true, width: "7rem", largestFirst: true, sort: (row) => clusters.size[row] ?? 0, cell: (row) => count(clusters.size[row] ?? 0) },
    { key: "pairs", title: "Pairs", end: true, width: "7rem", largestFirst: true, sort: (row) => clusters.pairs[row] ?? 0, cell: (row) => count(clusters.pairs[row] ?? 0) },
    { key: "cohesion", title: "Cohesion", end: true, width: "10rem", sort: cohesion, cell: (row) => <FigureBar text={share(cohesion(row))} share={cohesion(row)} /> },
    { key: "bridges", title: "Bridges", end: true, width: "7rem", largestFirst: true, sort: (row) => (bridges(row) < 0 ? NaN : bridges(row)), cell: (row) => (bridges(row) < 0 ? "–" : count(bridges(row))) },
    { key: "part", title: "Worst bridge", width: "10rem", largestFirst: true, sort: (row) => ((clusters.size[row] ?? 0) < 3 ? NaN : (clusters.smallerPart[row] ?? -1)), cell: (row) => ((clusters.smallerPart[row] ?? -1) < 0 || (clusters.size[row] ?? 0) < 3 ? "" : <Tag tone="other">parts off {count(clusters.smallerPart[row] ?? 0)}</Tag>) },
  ];
  return (
    <>
      {least >= 0 && <p class="chosen">Only clusters of {least === most ? counted(least, "record") : `${count(least)} to ${count(most)} records`}. <a href={addressOf("clusters")}>Show all</a></p>}
      <Table name="Clusters in this report" one="cluster" rows={rows} columns={columns} href={(row) => opening(route, "cluster", row)} textOf={texts} />
    </>
  );
}
