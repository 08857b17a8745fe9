/** The values that the records of a cluster have in a column, beside the one of their entity. */
import type { EntityColumn, EntityExample } from "../data";
import type { Tables } from "./tables";

/** Values that a row shows. */
const MOST = 4;

/** The first of them, in the order of the records; fewer than there are where records are not in the report, or a rule leaves some out. */
export function otherValues(tables: Pick<Tables, "records" | "recordsOfCluster">, column: EntityColumn, example: EntityExample): string[] {
  const place = column.column;
  if (place === null) return [];
  const found = new Set<string>();
  for (const record of Array.from(tables.recordsOfCluster().of(example.cluster))) {
    const value = tables.records.value(place, record);
    if (value !== null && value !== "" && value !== example.value) found.add(value);
  }
  return Array.from(found).slice(0, Math.min(MOST, example.others));
}
