/** The tables of a report, with names instead of columns. */
import type { Table } from "@uwdata/flechette";
import type { ReportFacts } from "../data";
import { manyTexts, numbers, places, texts, truths } from "./column";
import { Groups, range } from "./groups";
import { once } from "./once";
import { ranks } from "./sort";

export type Records = ReturnType<typeof makeRecords>;
export type ClusterTable = ReturnType<typeof makeClusters>;
export type Edges = ReturnType<typeof makeEdges>;
export type CutPairs = ReturnType<typeof makeCut>;
export type Pairs = ReturnType<typeof makePairs>;
export type Findings = ReturnType<typeof makeFindings>;
export type Waterfall = ReturnType<typeof makeWaterfall>;
export type Tables = ReturnType<typeof makeTables>;

/** Kinds of explained pairs, as `pairs.kind` numbers them. */
export const PAIR = { result: 0, near: 1, miss: 2, sameCluster: 3 } as const;

export function makeTables(facts: ReportFacts, tables: Map<string, Table>) {
  const table = (name: string): Table => {
    const found = tables.get(name);
    if (found === undefined) throw new Error(`The data has no table "${name}".`);
    return found;
  };
  const records = makeRecords(facts, table("records"));
  const clusters = makeClusters(table("clusters"));
  const edges = makeEdges(table("edges"));
  const cut = makeCut(table("cut"));
  const pairs = makePairs(table("pairs"));
  const findings = makeFindings(table("findings"));
  const waterfall = makeWaterfall(table("waterfall"));
  return {
    records, clusters, edges, cut, pairs, findings, waterfall,
    recordsOfCluster: once(() => new Groups(clusters.length, records.cluster)),
    edgesOfCluster: once(() => new Groups(clusters.length, edges.cluster)),
    edgesOfRecord: once(() => new Groups(records.length, edges.left, edges.right)),
    cutOfCluster: once(() => new Groups(clusters.length, cut.cluster)),
    pairsOfRecord: once(() => new Groups(records.length, pairs.left, pairs.right)),
    findingsOfPair: once(() => new Groups(pairs.length, findings.pair)),
    waterfallOfPair: once(() => new Groups(pairs.length, waterfall.pair)),
  };
}

function makeRecords(facts: ReportFacts, table: Table) {
  const values = facts.columns.map((column) => manyTexts(table, column.key));
  const id = manyTexts(table, "id");
  const rankOf = (textOf: (row: number) => string | null) => once(() => ranks(Array.from(range(table.numRows), textOf)));
  const idRanks = rankOf(id);
  const valueRanks = values.map(rankOf);
  return {
    length: table.numRows,
    id: (row: number) => id(row) ?? "",
    input: places(table, "input"),
    cluster: places(table, "cluster"),
    clusterSize: numbers(table, "cluster_size"),
    degree: numbers(table, "degree"),
    /** The value of a column (its place in `facts.columns`); `null` where it is missing. */
    value: (column: number, row: number): string | null => values[column]?.(row) ?? null,
    /** Its place among all records sorted by id, or by a column. */
    idRank: (row: number): number => idRanks()[row] ?? NaN,
    valueRank: (column: number, row: number): number => valueRanks[column]?.()[row] ?? NaN,
  };
}

function makeClusters(table: Table) {
  const id = texts(table, "id");
  return {
    length: table.numRows,
    id: (row: number) => id(row) ?? "",
    size: numbers(table, "size"),
    shown: numbers(table, "shown"),
    pairs: numbers(table, "pairs"),
    edges: numbers(table, "edges"),
    possible: numbers(table, "possible"),
    bridges: places(table, "bridges"),
    smallerPart: places(table, "smaller_part"),
    cut: numbers(table, "cut"),
  };
}

function makeEdges(table: Table) {
  return {
    length: table.numRows,
    cluster: places(table, "cluster"),
    left: places(table, "left"),
    right: places(table, "right"),
    rule: places(table, "rule"),
    score: numbers(table, "score"),
    bridge: truths(table, "bridge"),
    smallerPart: places(table, "smaller_part"),
    pair: places(table, "pair"),
  };
}

/** Pairs with records of other clusters. */
function makeCut(table: Table) {
  const otherId = texts(table, "other_id");
  const otherCluster = texts(table, "other_cluster");
  const cause = texts(table, "cause");
  return {
    length: table.numRows,
    cluster: places(table, "cluster"),
    record: places(table, "record"),
    other: places(table, "other"),
    otherId: (row: number) => otherId(row) ?? "",
    otherCluster: (row: number) => otherCluster(row) ?? "",
    rule: places(table, "rule"),
    score: numbers(table, "score"),
    cause: (row: number) => cause(row) ?? "",
  };
}

function makePairs(table: Table) {
  const rules = texts(table, "rules");
  return {
    length: table.numRows,
    left: places(table, "left"),
    right: places(table, "right"),
    kind: places(table, "kind"),
    rule: places(table, "rule"),
    condition: places(table, "condition"),
    score: numbers(table, "score"),
    probability: numbers(table, "probability"),
    slack: numbers(table, "slack"),
    /** The rules that hold, as the data has them: "0 3 4". */
    rulesText: (row: number) => rules(row) ?? "",
    never: places(table, "never"),
  };
}

function makeFindings(table: Table) {
  return {
    length: table.numRows,
    pair: places(table, "pair"),
    condition: places(table, "condition"),
    verdict: places(table, "verdict"),
    measured: numbers(table, "measured"),
    missedBy: numbers(table, "missed_by"),
    left: texts(table, "left"),
    right: texts(table, "right"),
    parts: texts(table, "parts"),
  };
}

function makeWaterfall(table: Table) {
  return {
    length: table.numRows,
    pair: places(table, "pair"),
    comparison: places(table, "comparison"),
    level: places(table, "level"),
    adds: numbers(table, "adds"),
    termFrequency: numbers(table, "term_frequency"),
    similarity: numbers(table, "similarity"),
  };
}
