/** Search: an id or any words lead to a record, its cluster, its nearest misses and why. */
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { count } from "../model/format";
import { range } from "../model/groups";
import { useReport } from "../model/report";
import { addressOf, go, type Route } from "../route";
import { Section } from "../ui/parts";
import { RecordTable } from "../views/cluster_view";
import { textsOfRecords } from "../views/pair_columns";
import { RecordView } from "../views/record_view";

export function SearchSection({ route }: { route: Route }) {
  const { facts, tables } = useReport();
  const record = route.items[0];
  const { records } = facts.sampling;
  const texts = useMemo(() => textsOfRecords(facts, tables), [facts, tables]);
  const all = useMemo(() => range(tables.records.length), [tables]);
  const known = record !== undefined && record < tables.records.length;
  return (
    <Section title="Search" says={`Any of the ${count(records.shown)} records in this report${records.shown < records.all ? ` (of ${count(records.all)})` : ""}: its cluster, its pairs, its nearest misses and why.`}>
      <IdSearch />
      {known ? <RecordView key={record} record={record} /> : <RecordTable name="Records" records={all} filter textOf={texts} />}
    </Section>
  );
}

/** Leads to the record with an id. Ids need not be typed to their end: the first that begins so is taken. */
function IdSearch() {
  const { tables } = useReport();
  const input = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState("");
  const { records } = tables;
  useEffect(() => {
    if (location.hash === "#/search") input.current?.focus();
  }, []);
  const look = (event: Event): void => {
    event.preventDefault();
    const typed = input.current?.value.trim() ?? "";
    const found = typed === "" ? -1 : findId(records, typed);
    setProblem(typed === "" || found >= 0 ? "" : `No record in this report has an id that begins with “${typed}”. Records without any pair or near pair may have been left out.`);
    if (found >= 0) go(addressOf("search", [found]));
  };
  return (
    <form class="id-search" role="search" onSubmit={look}>
      <label for="id-search">Id of a record</label>
      <input id="id-search" ref={input} type="search" autocomplete="off" spellcheck={false} />
      <button type="submit">Show</button>
      <span role="status" class="problem">{problem}</span>
    </form>
  );
}

/** The record with this id; else the first whose id begins so, whatever the case of its letters. */
function findId(records: { length: number; id: (row: number) => string }, typed: string): number {
  const lower = typed.toLowerCase();
  let begins = -1;
  for (let row = 0; row < records.length; row++) {
    const id = records.id(row);
    if (id === typed) return row;
    if (begins < 0 && id.toLowerCase().startsWith(lower)) begins = row;
  }
  return begins;
}
