/** Which columns of records a narrow view shows, and the texts in which words are looked for. */
import type { RecordColumn, ReportFacts } from "../data";
import type { Tables } from "../model/tables";

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
