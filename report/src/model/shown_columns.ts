/** Which columns of records a narrow view shows, and the texts in which words are looked for. */
import type { RecordColumn, ReportFacts } from "../data";
import type { Tables } from "./tables";

/** Whether a column holds the ids of all inputs: ids have a place of their own, and need no second one. */
function holdsIds(facts: ReportFacts, column: RecordColumn): boolean {
  const { inputs } = facts.overview;
  return !column.derived && inputs.length > 0 && inputs.every((input) => input.idColumn === column.name);
}

/** Places of columns in `facts.columns`: those that rules read first, derived ones last. */
export function columnsToShow(facts: ReportFacts, most: number): number[] {
  const rank = (column: RecordColumn): number => (column.derived ? 2 : 0) + (column.used ? 0 : 1);
  return facts.columns
    .map((column, place) => ({ column, rank: rank(column), place }))
    .filter(({ column }) => !holdsIds(facts, column))
    .sort((a, b) => a.rank - b.rank || a.place - b.place)
    .slice(0, most)
    .map(({ place }) => place)
    .sort((a, b) => a - b);
}

/** The columns of the inputs besides their ids, and those that rules derive. */
export function splitColumns(facts: ReportFacts): { given: number[]; derived: number[] } {
  const places = facts.columns.map((column, place) => ({ column, place })).filter(({ column }) => !holdsIds(facts, column));
  return {
    given: places.filter(({ column }) => !column.derived).map(({ place }) => place),
    derived: places.filter(({ column }) => column.derived).map(({ place }) => place),
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

/** A width for a column in rem, by its name and by how long most of its values are in some of the records. */
function widthOf(facts: ReportFacts, tables: Tables, place: number): number {
  const rows = Math.min(ROWS_MEASURED, tables.records.length);
  const step = tables.records.length / Math.max(1, rows);
  const lengths = Array.from({ length: rows }, (_, i) => tables.records.value(place, Math.floor(i * step))?.length ?? 0);
  const most = lengths.sort((a, b) => a - b)[Math.floor(rows * 0.9)] ?? 0;
  const name = facts.columns[place]?.name.length ?? 0;
  return Math.max(4.5, 2.8 + name * 0.56, 1.9 + most * 0.55);
}

/** From this width on, in rem, a column takes its share of what the others leave. */
const WIDE = 8.5;

/** The width of a shown column, measured once; wide ones have none, and share the room that is left. */
export function widthOfColumn(facts: ReportFacts, tables: Tables, place: number): string | undefined {
  const known = widths.get(tables) ?? new Map<number, number>();
  widths.set(tables, known);
  const width = known.get(place) ?? widthOf(facts, tables, place);
  known.set(place, width);
  return width < WIDE ? `${width}rem` : undefined;
}
