/** Entities of made-up clusters: the most frequent value of each column, and all authors as a list. */
import type { Entities, EntityColumn, EntityExample } from "../../src/data";
import type { World } from "./report";

const MOST = 20;

type ColumnName = "title" | "authors" | "venue" | "year";

/** The most frequent value, the first record that has it, and how many others there are. */
function mostFrequent(values: (string | null)[]): { value: string | null; at: number; others: number } {
  const counts = new Map<string, number>();
  for (const value of values) if (value !== null) counts.set(value, (counts.get(value) ?? 0) + 1);
  const most = Math.max(0, ...counts.values());
  const value = [...counts.keys()].find((known) => counts.get(known) === most) ?? null;
  return { value, at: values.indexOf(value), others: Math.max(0, counts.size - 1) };
}

function columnOf({ records, clusters }: World, name: ColumnName, place: number): EntityColumn {
  const entities = clusters.map((cluster, number) => ({ number, members: cluster.records, ...mostFrequent(cluster.records.map((record) => records[record]?.[name] ?? null)) }));
  const clustered = new Set(clusters.flatMap((cluster) => cluster.records));
  const alone = records.filter((record, number) => record[name] !== null && !clustered.has(number)).length;
  const disagreeing = entities.filter(({ others }) => others > 0);
  const example = ({ number, members, value, at, others }: (typeof entities)[number]): EntityExample => ({ cluster: number, value: value?.slice(0, 1000) ?? null, record: members[at] ?? null, others });
  return {
    name, take: "most_frequent", column: place, masked: false, filled: alone + entities.filter(({ value }) => value !== null).length, disagreeing: disagreeing.length,
    examples: disagreeing.sort((a, b) => b.others - a.others || a.number - b.number).slice(0, MOST).map(example),
  };
}

export function entitiesFacts(world: World, columns: readonly ColumnName[]): Entities {
  const { records, clusters } = world;
  const entities = records.length - clusters.reduce((sum, cluster) => sum + cluster.records.length, 0) + clusters.length;
  const all: EntityColumn = { name: "names", take: "union", column: null, masked: false, filled: entities, disagreeing: 0, examples: [] };
  return { entities, columns: [...columns.map((name, place) => columnOf(world, name, place)), all] };
}
