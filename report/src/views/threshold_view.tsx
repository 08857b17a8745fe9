/** A threshold: pairs above it and below it by what was measured, and what another threshold would give. */
import { useMemo, useState } from "preact/hooks";
import type { Bin } from "../charts/histogram";
import type { Threshold, ThresholdFacts } from "../data";
import { about, count, estimate, number } from "../model/format";
import { useReport, type Report } from "../model/report";
import { addressOf } from "../route";
import { Code, Nothing } from "../ui/parts";
import { edgeOf, effectOf, thresholdPlaces, wordsOf } from "../model/threshold";
import { BinsPicture } from "./bins_picture";
import { PairTable } from "./pair_table";

export function ThresholdView({ facts }: { facts: ThresholdFacts }) {
  const { facts: all } = useReport();
  const condition = all.conditions[facts.condition];
  const threshold = condition?.threshold;
  if (condition === undefined || threshold === undefined || threshold === null) return null;
  if (facts.above.length === 0 && (facts.below ?? []).length === 0) {
    return <div class="threshold"><h3><Code>{condition.text}</Code></h3><Nothing>No pair with a measured value was looked at.</Nothing></div>;
  }
  return (
    <div class="threshold">
      <h3><Code>{condition.text}</Code></h3>
      <MovableThreshold facts={facts} threshold={threshold} text={condition.text} />
      {facts.examples.length > 0 && <details><summary>The pairs nearest to the threshold</summary><PairTable name={`Pairs nearest to ${condition.text}`} pairs={facts.examples} /></details>}
      {facts.misses.length > 0 && <details><summary>The near pairs that miss it by least</summary><PairTable name={`Near pairs of ${condition.text}`} pairs={facts.misses} /></details>}
    </div>
  );
}

function MovableThreshold({ facts, threshold, text }: { facts: ThresholdFacts; threshold: Threshold; text: string }) {
  const places = useMemo(() => thresholdPlaces(facts, threshold), [facts, threshold]);
  const start = places.indexOf(threshold.value);
  const [at, setAt] = useState(start);
  const value = places[at] ?? threshold.value;
  const word = wordsOf(threshold);
  return (
    <>
      <BinsPicture name={`Pairs by the value of ${threshold.measure}`} table={<BinTable facts={facts} />} bins={binsOf(facts)} unit={threshold.measure} height={200} line={{ at: edgeOf(threshold, threshold.value), label: `${word} ${number(threshold.value)}` }} moved={edgeOf(threshold, value)} />
      {places.length > 1 && (
        <label class="slider">
          <span>What if it were <b>{word} {number(value)}</b>?</span>
          <input type="range" min={0} max={places.length - 1} step={1} value={at} aria-valuetext={`${word} ${number(value)}`} aria-label={`Another threshold for ${text}`} onInput={(event) => setAt(event.currentTarget.valueAsNumber)} />
          <span class="slider-effect" role="status">{effectText(facts, threshold, value)}</span>
        </label>
      )}
    </>
  );
}

function binsOf(facts: ThresholdFacts): Bin[] {
  const href = (from: number, to: number, kind: number): string => addressOf("pairs", [], { condition: String(facts.condition), from: String(from), to: String(to), kind: String(kind), holds: String(facts.rule) });
  const above = facts.above.map((bin): Bin => ({
    from: bin.from, to: bin.to, value: bin.pairs, marked: bin.lost, tone: "main", href: href(bin.from, bin.to, 0),
    title: `${number(bin.from)} to ${number(bin.to)}: ${about(bin.pairs, facts.exact)} pairs, of which no other rule finds ${count(bin.lost)}`,
  }));
  const below = (facts.below ?? []).map((bin): Bin => ({
    from: bin.from, to: bin.to, value: bin.pairs, tone: "other", href: href(bin.from, bin.to, 1),
    title: `${number(bin.from)} to ${number(bin.to)}: ${about(bin.pairs, facts.belowExact)} near pairs`,
  }));
  return [...above, ...below].sort((a, b) => a.from - b.from);
}

function BinTable({ facts }: { facts: ThresholdFacts }) {
  return (
    <table class="small">
      <thead><tr><th scope="col">Measured</th><th scope="col" class="end">Pairs</th><th scope="col" class="end">Found by no other rule</th></tr></thead>
      <tbody>
        {binsOf(facts).map((bin) => (
          <tr key={bin.from}><th scope="row">{number(bin.from)} to {number(bin.to)}{bin.tone === "other" ? " (near)" : ""}</th><td class="end"><a href={bin.href ?? ""}>{count(bin.value)}</a></td><td class="end">{bin.tone === "other" ? "–" : count(bin.marked ?? 0)}</td></tr>
        ))}
      </tbody>
    </table>
  );
}

function effectText(facts: ThresholdFacts, threshold: Threshold, value: number): string {
  const effect = effectOf(facts, threshold, value);
  if (effect.kind === "same") return "This is the threshold of the run.";
  if (effect.kind === "stricter") return `Stricter: the rule would give ${about(effect.pairs, facts.exact)} pairs fewer, and the result would lose ${count(effect.lost)} of them, which no other rule finds.`;
  return `Looser: the result would gain ${about(effect.pairs, facts.belowExact)} pairs.`;
}

/** The line of a threshold in the table of all. */
export function thresholdRow({ facts }: Report, threshold: ThresholdFacts) {
  const known = facts.conditions[threshold.condition];
  const next = known?.threshold?.direction === "atMost" ? threshold.above.at(-1) : threshold.above[0];
  return {
    rule: threshold.rule,
    text: known?.text ?? "",
    above: next?.pairs ?? 0,
    aboveText: next === undefined ? "–" : estimate(next.pairs, threshold.exact),
    lost: next?.lost ?? 0,
    lostText: next === undefined ? "–" : estimate(next.lost, threshold.exact),
    near: threshold.near ?? NaN,
    nearText: threshold.near === null ? "–" : count(threshold.near),
  };
}
