/** Pairs: all that are explained in the report, to sort and to filter. */
import { useMemo } from "preact/hooks";
import { count, listed, number, shorten } from "../model/format";
import { pairFilter, selectPairs } from "../model/pair_filter";
import { ruleName, useReport } from "../model/report";
import { PAIR } from "../model/tables";
import { addressOf, changed, go, type Route } from "../route";
import { Nothing, Section } from "../ui/parts";
import { PairTable } from "../views/pair_table";

const KINDS = [
  { kind: PAIR.result, name: "pairs of the result" },
  { kind: PAIR.near, name: "near pairs of the run" },
  { kind: PAIR.miss, name: "near misses found for this report" },
  { kind: PAIR.sameCluster, name: "same cluster, not a pair" },
];

export function PairsSection({ route }: { route: Route }) {
  const { facts, tables } = useReport();
  const filter = route.query.toString();
  const selected = useMemo(() => selectPairs(tables, pairFilter(route.query)), [tables, withoutOpen(route)]);
  const { pairs } = facts.sampling;
  return (
    <Section title="Pairs" says={`Pairs with their reasons: ${count(pairs.shown)} of ${count(pairs.all)} pairs of the result, and near pairs where there are any. A row opens both records and why.`}>
      {tables.pairs.length === 0 ? <Nothing>This run found no pairs.</Nothing> : (
        <>
          <Chosen route={route} filter={filter} />
          <PairTable name="Pairs" pairs={selected} withRule filter tools={<Choices route={route} />} />
        </>
      )}
    </Section>
  );
}

function withoutOpen(route: Route): string {
  const rest = new URLSearchParams(route.query);
  for (const key of ["pair", "edge", "cluster"]) rest.delete(key);
  return rest.toString();
}

function Choices({ route }: { route: Route }) {
  const { facts, tables } = useReport();
  const present = useMemo(() => new Set(Array.from(tables.pairs.kind)), [tables]);
  return (
    <>
      <select aria-label="What they are" value={route.query.get("kind") ?? ""} onChange={(event) => go(changed(route, { kind: event.currentTarget.value || undefined }))}>
        <option value="">all kinds</option>
        {KINDS.filter(({ kind }) => present.has(kind)).map(({ kind, name }) => <option key={kind} value={String(kind)}>{name}</option>)}
      </select>
      <select aria-label="Rule" value={route.query.get("rule") ?? ""} onChange={(event) => go(changed(route, { rule: event.currentTarget.value || undefined }))}>
        <option value="">all rules</option>
        {facts.rules.list.map((_, rule) => <option key={rule} value={String(rule)}>{rule + 1}: {shorten(ruleName(facts, rule), 48)}</option>)}
      </select>
    </>
  );
}

/** What the reader came here with, in words, and the way out of it. */
function Chosen({ route }: { route: Route; filter: string }) {
  const { facts } = useReport();
  const filter = pairFilter(route.query);
  const words: string[] = [];
  if (filter.exactly !== null) words.push(`exactly rule ${listed(filter.exactly.map((rule) => String(rule + 1)))} ${filter.exactly.length === 1 ? "holds" : "hold"}`);
  if (filter.holds >= 0) words.push(`rule ${filter.holds + 1} holds or nearly does`);
  if (filter.condition >= 0) words.push(`${facts.conditions[filter.condition]?.text ?? ""} measured ${number(filter.from)} to ${number(filter.to)}`);
  else if (Number.isFinite(filter.from)) words.push(`${facts.scores?.unit ?? "score"} from ${number(filter.from)} to ${number(filter.to)}`);
  if (words.length === 0) return null;
  return <p class="chosen">Only pairs where {words.join(", and ")}. <a href={addressOf("pairs")}>Show all</a></p>;
}
