/** Whole reports for tests: facts and tables that belong together. */
import type { ReportFacts } from "../../src/data";
import type { Cell, ColumnKind, ReportData, TestTable } from "./container";
import { entitiesFacts } from "./facts_entities";
import { planFacts, wordsFacts } from "./facts_plan";
import { rulesFacts } from "./facts_rules";
import { evaluation, scoresFacts, type TestStep } from "./facts_scores";
import { clustersOf, comparePublications, type TestCluster, type TestPair } from "./findings";
import { CONDITIONS } from "./job";
import { publications, type Publication } from "./publications";
import { Random } from "./random";

export interface ReportOptions {
  works: number;
  scores: boolean;
  truth: boolean;
  near: boolean;
  entities: boolean;
  /** Changes records before they are compared. */
  spoil?: (records: Publication[]) => void;
  warnings?: string[];
}

export interface World {
  records: Publication[];
  pairs: TestPair[];
  clusters: TestCluster[];
  scoreOfPair: number[] | null;
  steps: TestStep[][];
}

const COLUMNS = ["title", "authors", "venue", "year"] as const;

export function makeReport(options: ReportOptions): ReportData {
  const random = new Random(7);
  const records = publications(options.works, random);
  options.spoil?.(records);
  const all = comparePublications(records, random, 6);
  const pairs = options.near ? all : all.filter((pair) => pair.kind === 0);
  const clusters = clustersOf(records.length, pairs);
  const scored = options.scores ? scoresFacts(pairs) : null;
  const world: World = { records, pairs, clusters, scoreOfPair: scored?.scoreOfPair ?? null, steps: scored?.steps ?? [] };
  const facts = factsOf(world, options);
  facts.scores = scored?.scores ?? null;
  facts.rules.beforeScores = options.scores;
  return { facts, tables: tablesOf(world) };
}

function factsOf(world: World, options: ReportOptions): ReportFacts {
  const { records, pairs, clusters } = world;
  const found = pairs.filter((pair) => pair.kind === 0).length;
  const part = (all: number, shown = all) => ({ all, shown });
  const inputs = ["dblp", "acm"].map((name, input) => ({ name, files: [{ path: `data/${name}.csv`, bytes: 388_724, modified: "2026-01-31T11:00:00Z" }], records: records.filter((record) => record.input === input).length, skipped: 0, hash: "b66821b1c7dbb93b1d7128845319aad6", idColumn: "id" }));
  const inClusters = clusters.reduce((sum, cluster) => sum + cluster.records.length, 0);
  return {
    format: 1, program: "0.1.0",
    header: { title: "dblp and acm", linkType: "link_only", started: "2026-01-31T12:00:00Z", folder: "sameas-out", command: ["sameas", "link", "data/dblp.csv", "data/acm.csv", "--rules", "rules.toml", "--near", "0.1"], shownColumns: [...COLUMNS], personalColumns: ["authors"], maskedColumns: [], idsMasked: false, hasValues: true },
    sampling: { budgetBytes: 10_000_000, seed: 99225107955713, records: part(records.length), clusters: part(clusters.length), pairs: part(found), near: options.near ? part(pairs.length - found) : null, bridges: part(clusters.filter((cluster) => cluster.records.length > 2).length), valueCharacters: 1000 },
    overview: {
      inputs, records: records.length, possiblePairs: (inputs[0]?.records ?? 0) * (inputs[1]?.records ?? 0), candidates: found * 5, pairs: found, clusters: records.length - inClusters + clusters.length, clustersOfTwoOrMore: clusters.length, duplicates: inClusters - clusters.length,
      largestCluster: clusters.length === 0 ? null : { id: clusterId(records, largestOf(clusters)), records: largestOf(clusters).records.length, averageOfOthers: 2.1, outOfProportion: false },
      seconds: 0.127, threads: 2, device: "cpu", peakMemoryBytes: 46_000_000, version: "0.1.0", files: [{ name: "pairs.parquet", bytes: 44_875 }, { name: "clusters.parquet", bytes: 100_382 }, { name: "run.json", bytes: 51_000 }],
      evaluation: options.truth ? evaluation(records, pairs, world.scoreOfPair) : null,
    },
    columns: COLUMNS.map((name, i) => ({ name, key: `c${i}`, derived: false, expression: null, masked: false, personal: name === "authors", used: true })),
    conditions: CONDITIONS.map(({ text, threshold }) => ({ text, threshold })),
    rules: rulesFacts(pairs, options.near), scores: null, clusters: clustersFacts(world), sweep: null, entities: options.entities ? entitiesFacts(world, COLUMNS) : null, data: dataFacts(world), plan: planFacts(found),
    search: { misses: options.near ? "run" : "none", among: records.length, explained: pairs.length - found },
    words: wordsFacts(options.warnings ?? []),
  };
}

function largestOf(clusters: TestCluster[]): TestCluster {
  return clusters.reduce((best, cluster) => (cluster.records.length > best.records.length ? cluster : best));
}

function clusterId(records: Publication[], cluster: TestCluster): string {
  return records[cluster.records[0] ?? 0]?.id ?? "";
}

function possibleOf({ records }: World, cluster: TestCluster): number {
  const left = cluster.records.filter((record) => records[record]?.input === 0).length;
  return left * (cluster.records.length - left) || 1;
}

function clustersFacts(world: World): ReportFacts["clusters"] {
  const { clusters } = world;
  const numbered = clusters.map((cluster, number) => ({ cluster, number, part: Math.max(0, ...cluster.bridges.values()) }));
  const sizes = new Map<number, number>([[1, world.records.length - clusters.reduce((sum, cluster) => sum + cluster.records.length, 0)]]);
  for (const cluster of clusters) sizes.set(cluster.records.length, (sizes.get(cluster.records.length) ?? 0) + 1);
  const take = (list: typeof numbered): number[] => list.slice(0, 24).map(({ number }) => number);
  const three = numbered.filter(({ cluster }) => cluster.records.length > 2);
  return {
    sizes: [...sizes].filter(([, count]) => count > 0).sort((a, b) => a[0] - b[0]).map(([size, count]) => ({ least: size, most: size, clusters: count, records: size * count })),
    largest: take([...numbered].sort((a, b) => b.cluster.records.length - a.cluster.records.length)),
    leastCohesive: take([...three].sort((a, b) => a.cluster.edges.length / possibleOf(world, a.cluster) - b.cluster.edges.length / possibleOf(world, b.cluster))),
    bridged: take(three.filter(({ part }) => part > 0).sort((a, b) => b.part - a.part)),
    withBridge: numbered.filter(({ part }) => part > 1).length,
  };
}

function dataFacts({ records }: World): ReportFacts["data"] {
  const columns = [0, 1].flatMap((input) => COLUMNS.map((name) => {
    const values = records.filter((record) => record.input === input).map((record) => record[name]);
    const counts = new Map<string, number>();
    for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
    const heavy = [...counts].filter(([, count]) => count > 1).sort((a, b) => b[1] - a[1]).slice(0, 8).map(([value, count]) => ({ value: value.slice(0, 80), records: count }));
    return { input, name, kind: "column" as const, records: values.length, nulls: values.filter((value) => value === null).length, distinct: counts.size, heavy, exact: name !== "venue", unreadable: 0, masked: false, personal: name === "authors", used: true };
  }));
  const heavyKeys = columns.filter(({ name }) => name === "year").flatMap(({ heavy }) => heavy.map(({ value, records: count }) => ({ branch: 0, on: "l.year = r.year and l.head = r.head", value, records: count, candidates: count * count, exact: count % 2 === 0 })));
  return { columns, heavyKeys: heavyKeys.sort((a, b) => b.candidates - a.candidates) };
}

function column(kind: ColumnKind, values: Cell[]): { kind: ColumnKind; values: Cell[] } {
  return { kind, values };
}

/** Cut pairs between the first records of every two clusters that follow each other, of the first ones. */
function cutPairs(clusters: TestCluster[]): { cluster: number; record: number; other: number; of: TestCluster }[] {
  const first = (cluster: TestCluster): number => cluster.records[0] ?? 0;
  const some = clusters.slice(0, 5);
  const all = some.flatMap((cluster, number) => {
    const next = some[number + 1];
    if (next === undefined) return [];
    return [
      { cluster: number, record: first(cluster), other: first(next), of: next },
      { cluster: number + 1, record: first(next), other: first(cluster), of: cluster },
    ];
  });
  return all.sort((a, b) => a.cluster - b.cluster);
}

function tablesOf(world: World): Record<string, TestTable> {
  const { records, pairs, clusters } = world;
  const clusterOf = new Map(clusters.flatMap((cluster, number) => cluster.records.map((record): [number, number] => [record, number])));
  const degree = new Array<number>(records.length).fill(0);
  for (const pair of pairs) if (pair.kind === 0) for (const record of [pair.left, pair.right]) degree[record] = (degree[record] ?? 0) + 1;
  const edges = clusters.flatMap((cluster, number) => cluster.edges.map((edge) => ({ cluster, number, edge, pair: pairs[edge] as TestPair })));
  const findings = pairs.flatMap((pair, number) => pair.findings.map((finding, condition) => ({ number, condition, ...finding })));
  const steps = world.steps.flatMap((own, number) => own.map((step) => ({ number, ...step })));
  const cut = cutPairs(clusters);
  const bits = (i: number): number | null => world.scoreOfPair?.[i] ?? null;
  return {
    records: {
      id: column("text", records.map(({ id }) => id)), input: column("u32", records.map(({ input }) => input)),
      cluster: column("u32", records.map((_, i) => clusterOf.get(i) ?? null)), cluster_size: column("u32", records.map((_, i) => clusters[clusterOf.get(i) ?? -1]?.records.length ?? 1)), degree: column("u32", degree),
      ...Object.fromEntries(COLUMNS.map((name, i) => [`c${i}`, column("text", records.map((record) => record[name]))])),
    },
    clusters: {
      id: column("text", clusters.map((cluster) => clusterId(records, cluster))), size: column("u32", clusters.map((cluster) => cluster.records.length)), shown: column("u32", clusters.map((cluster) => cluster.records.length)),
      pairs: column("u64", clusters.map((cluster) => cluster.edges.length)), edges: column("u32", clusters.map((cluster) => cluster.edges.length)), possible: column("u64", clusters.map((cluster) => possibleOf(world, cluster))),
      bridges: column("u32", clusters.map((cluster) => cluster.bridges.size)), smaller_part: column("u32", clusters.map((cluster) => (cluster.bridges.size === 0 ? null : Math.max(...cluster.bridges.values())))),
      cut: column("u32", clusters.map((_, number) => cut.filter(({ cluster }) => cluster === number).length)),
    },
    edges: {
      cluster: column("u32", edges.map(({ number }) => number)), left: column("u32", edges.map(({ pair }) => pair.left)), right: column("u32", edges.map(({ pair }) => pair.right)), rule: column("u32", edges.map(({ pair }) => pair.rule)), score: column("f64", edges.map(({ edge }) => bits(edge))),
      bridge: column("bool", edges.map(({ cluster, edge }) => cluster.bridges.has(edge))), smaller_part: column("u32", edges.map(({ cluster, edge }) => cluster.bridges.get(edge) ?? null)), pair: column("u32", edges.map(({ edge }) => edge)),
    },
    cut: {
      cluster: column("u32", cut.map(({ cluster }) => cluster)), record: column("u32", cut.map(({ record }) => record)), other: column("u32", cut.map(({ other }) => other)), other_id: column("text", cut.map(({ other }) => records[other]?.id ?? "")),
      other_cluster: column("text", cut.map(({ of }) => clusterId(records, of))), rule: column("u32", cut.map(() => 0)), score: column("f64", cut.map(() => (world.scoreOfPair === null ? null : 1.5))), cause: column("text", cut.map(() => "max_size")),
    },
    pairs: {
      left: column("u32", pairs.map(({ left }) => left)), right: column("u32", pairs.map(({ right }) => right)), kind: column("u8", pairs.map(({ kind }) => kind)), rule: column("u32", pairs.map(({ rule }) => rule)), condition: column("u32", pairs.map(({ condition }) => condition)),
      score: column("f64", pairs.map((_, i) => bits(i))), probability: column("f64", pairs.map((_, i) => (bits(i) === null ? null : 1 / (1 + 2 ** -(bits(i) ?? 0))))), slack: column("f64", pairs.map(({ slack }) => slack)), rules: column("text", pairs.map(({ holding }) => holding.join(" "))), never: column("u32", pairs.map(() => null)),
    },
    findings: {
      pair: column("u32", findings.map(({ number }) => number)), condition: column("u32", findings.map(({ condition }) => condition)), verdict: column("u8", findings.map(({ verdict }) => verdict)), measured: column("f64", findings.map(({ measured }) => measured)), missed_by: column("f64", findings.map(({ missedBy }) => missedBy)),
      left: column("text", findings.map(({ left }) => left)), right: column("text", findings.map(({ right }) => right)), parts: column("text", findings.map(() => null)),
    },
    waterfall: {
      pair: column("u32", steps.map(({ number }) => number)), comparison: column("u32", steps.map(({ comparison }) => comparison)), level: column("u32", steps.map(({ level }) => level)), adds: column("f64", steps.map(({ adds }) => adds)), term_frequency: column("f64", steps.map(({ termFrequency }) => termFrequency)), similarity: column("f64", steps.map(() => null)),
    },
  };
}
