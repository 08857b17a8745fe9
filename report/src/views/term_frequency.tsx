/** What rare and frequent values of a column add to a weight. */
import { Histogram, type Bin } from "../charts/histogram";
import type { TermFrequencyFacts } from "../data";
import { count, number, signed } from "../model/format";
import { Picture } from "../ui/parts";
import { Value } from "../ui/value";

export function TermFrequency({ facts }: { facts: TermFrequencyFacts }) {
  const bins = facts.histogram.map((bin): Bin => ({
    from: bin.from, to: bin.to, value: bin.values, tone: bin.to <= 0 ? "other" : "main",
    title: `${signed(bin.from)} to ${signed(bin.to)} bits: ${count(bin.values)} values, ${count(bin.records)} records`,
  }));
  return (
    <details class="term-frequency">
      <summary>The frequency of the value in {facts.column}: {rarest(facts)} adds {signed(facts.rarestAdds)}</summary>
      {facts.given !== null && <p>The frequencies are given by {facts.given}{lacking(facts)}.</p>}
      <div class="side-by-side">
        <table class="small">
          <caption>The most frequent of {count(facts.values)} values</caption>
          <thead><tr><th scope="col">Value</th><th scope="col" class="end">Records</th><th scope="col" class="end">Adds (bits)</th></tr></thead>
          <tbody>{facts.frequent.map((entry) => <tr key={entry.value}><th scope="row"><Value text={entry.value} /></th><td class="end">{count(entry.records)}</td><td class="end">{signed(entry.adds)}</td></tr>)}</tbody>
        </table>
        {bins.length > 0 && (
          <Picture name={`Values of ${facts.column} by what they add`} table={<BinTable bins={bins} />}>
            <Histogram bins={bins} unit="bits that a value adds" height={200} logarithmic />
          </Picture>
        )}
      </div>
    </details>
  );
}

function rarest(facts: TermFrequencyFacts): string {
  return facts.given === null ? "a value that one record has" : "the rarest value";
}

function lacking(facts: TermFrequencyFacts): string {
  return facts.lacking === 0 ? "" : `, which lacks ${count(facts.lacking)} of the values: they add nothing`;
}

function BinTable({ bins }: { bins: Bin[] }) {
  return (
    <table class="small">
      <thead><tr><th scope="col">Adds (bits)</th><th scope="col" class="end">Values</th></tr></thead>
      <tbody>{bins.map((bin) => <tr key={bin.from}><th scope="row">{number(bin.from)} to {number(bin.to)}</th><td class="end">{count(bin.value)}</td></tr>)}</tbody>
    </table>
  );
}
