/** Which columns of records a narrow view shows, and the texts in which words are looked for. */
import type { RecordColumn, ReportFacts } from "../data";
import type { Tables } from "./tables";

/** Places of columns in `facts.columns`: those that rules read first, derived ones last. */
export function columnsToShow(facts: ReportFacts, most: number): number[] {
  const rank = (column: RecordColumn): number => (column.derived ? 2 : 0) + (column.used ? 0 : 1);
  return facts.columns
    .map((column, place) => ({ rank: rank(column), place }))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .slice(0, most)
    .map(({ place }) => place)
    .sort((a, b) => a - b);
}

/** The columns of the inputs, and those that rules derive. */
export function splitColumns(facts: ReportFacts): { given: number[]; derived: number[] } {
  const places = facts.columns.map((_, place) => place);
  return {
    given: places.filter((place) => facts.columns[place]?.derived === false),
    derived: places.filter((place) => facts.columns[place]?.derived === true),
  };
}

/** Id and shown values of a record in lower case, made once. */
export function recordTexts(facts: ReportFacts, tables: Tables): (record: number) => string {
  const places = columnsToShow(facts, 6);
  const known: (string | undefined)[] = new Array<string | undefined>(tables.records.length);
  return (record) => {
    const made = known[record];
    if (made !== undefined) return made;
    const values = places.map((place) => tables.records.value(place, record) ?? "");
    const text = [tables.records.id(record), ...values].join("\n").toLowerCase();
    known[record] = text;
    return text;
  };
}

const madeFor = new WeakMap<Tables, (record: number) => string>();

/** The same function for all tables of a report, so that texts are made once for all of them. */
export function textsOfRecords(facts: ReportFacts, tables: Tables): (record: number) => string {
  let made = madeFor.get(tables);
  if (made === undefined) {
    made = recordTexts(facts, tables);
    madeFor.set(tables, made);
  }
  return made;
}

const ROWS_MEASURED = 64;
const widths = new WeakMap<Tables, Map<number, number>>();

/** A width for a column by how long its values are in some of the records, in rem. */
function widthOf(facts: ReportFacts, tables: Tables, place: number): number {
  const known = widths.get(tables) ?? new Map<number, number>();
  widths.set(tables, known);
  const made = known.get(place);
  if (made !== undefined) return made;
  const rows = Math.min(ROWS_MEASURED, tables.records.length);
  let characters = 0;
  const step = tables.records.length / Math.max(1, rows);
  for (let i = 0; i < rows; i++) characters += Math.min(80, tables.records.value(place, Math.floor(i * step))?.length ?? 0);
  const name = facts.columns[place]?.name.length ?? 0;
  const width = Math.max(4.5, 2 + name * 0.45, Math.min(16, 2 + (characters / Math.max(1, rows)) * 0.36));
  known.set(place, width);
  return width;
}

/** The width of a shown column; the widest one takes what is left, and has none. */
export function widthOfColumn(facts: ReportFacts, tables: Tables, place: number): string | undefined {
  const all = columnsToShow(facts, 6).map((column) => ({ column, width: widthOf(facts, tables, column) }));
  const widest = all.reduce((best, entry) => (entry.width > best.width ? entry : best), { column: -1, width: 0 });
  return place === widest.column ? undefined : `${widthOf(facts, tables, place)}rem`;
}
