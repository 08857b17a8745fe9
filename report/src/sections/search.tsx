/** Search: an id or any words lead to a record, its cluster, its nearest misses and why. */
import { useMemo } from "preact/hooks";
import { count } from "../model/format";
import { range } from "../model/groups";
import { useReport } from "../model/report";
import { addressOf, type Route } from "../route";
import { Section } from "../ui/parts";
import { IdSearch } from "../views/id_search";
import { RecordTable } from "../views/cluster_view";
import { textsOfRecords } from "../model/shown_columns";
import { PairView } from "../views/pair_view";
import { RecordView } from "../views/record_view";

export function SearchSection({ route }: { route: Route }) {
  const { facts, tables } = useReport();
  const record = route.items[0];
  const { records } = facts.sampling;
  const texts = useMemo(() => textsOfRecords(facts, tables), [facts, tables]);
  const all = useMemo(() => range(tables.records.length), [tables]);
  const other = route.items[1];
  const known = record !== undefined && record < tables.records.length;
  return (
    <Section title="Search" says={`Any of the ${count(records.shown)} records in this report${records.shown < records.all ? ` (of ${count(records.all)})` : ""}: its cluster, its pairs, its nearest misses and why.`}>
      <IdSearch label="Id of a record" button="Show" focus={!known} to={(found) => addressOf("search", [found])} />
      {known && other !== undefined && other < tables.records.length && <Comparison left={record} right={other} />}
      {known ? <RecordView key={record} record={record} /> : <RecordTable name="Records" records={all} filter textOf={texts} />}
    </Section>
  );
}

/** Two records that the reader has chosen, with reasons where the report has them. */
function Comparison({ left, right }: { left: number; right: number }) {
  const { tables } = useReport();
  const pair = Array.from(tables.pairsOfRecord().of(left)).find((row) => tables.pairs.left[row] === right || tables.pairs.right[row] === right) ?? -1;
  return <section class="panel"><PairView left={left} right={right} pair={pair} /></section>;
}
