/** Columns of an Arrow table, in the forms that the page reads. */
import type { Column, Table } from "@uwdata/flechette";

import { allTexts } from "./all_texts";
import { once } from "./once";

export type Numbers = ArrayLike<number>;

export function columnOf(table: Table, name: string): Column<unknown> {
  const column = table.getChild(name) as Column<unknown> | null | undefined;
  if (column === null || column === undefined) throw new Error(`The data has no column "${name}".`);
  return column;
}

/** All numbers of a column. Where there is none, `missing` stands. */
export function numbers(table: Table, name: string, missing = NaN): Numbers {
  const column = columnOf(table, name);
  if (column.nullCount === 0) return column.toArray() as Numbers;
  const result = new Float64Array(column.length);
  for (let i = 0; i < result.length; i++) result[i] = (column.at(i) as number | null) ?? missing;
  return result;
}

/** Whole numbers with -1 where there is none: numbers of records, rules, clusters. */
export function places(table: Table, name: string): Numbers {
  return numbers(table, name, -1);
}

/** Texts, decoded when they are asked for. */
export function texts(table: Table, name: string): (row: number) => string | null {
  const column = columnOf(table, name);
  return (row) => column.at(row) as string | null;
}

/** Texts that are all decoded when the first of them is asked for: where many are. */
export function manyTexts(table: Table, name: string): (row: number) => string | null {
  const all = once(() => allTexts(columnOf(table, name)));
  return (row) => all()[row] ?? null;
}

/** Truths. */
export function truths(table: Table, name: string): (row: number) => boolean {
  const column = columnOf(table, name);
  return (row) => column.at(row) === true;
}
