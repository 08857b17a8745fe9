/** The facts about rules of a made-up run. */
import type { Rules, ThresholdBin, ThresholdFacts } from "../../src/data";
import type { TestPair } from "./findings";
import { CONDITIONS, RULES } from "./job";

export function rulesFacts(pairs: TestPair[], near: boolean): Rules {
  const found = pairs.map((pair, number) => ({ pair, number })).filter(({ pair }) => pair.kind === 0);
  let cumulative = 0;
  const list = RULES.map((rule, number) => {
    const own = found.filter(({ pair }) => pair.rule === number);
    cumulative += own.length;
    return {
      ...rule, named: true, made: false, marginal: own.length, cumulative, pairs: own.length, explained: own.length,
      alone: found.filter(({ pair }) => pair.holding.includes(number)).length,
      examples: own.sort((a, b) => (a.pair.slack ?? 1) - (b.pair.slack ?? 1)).slice(0, 100).map((entry) => entry.number),
    };
  });
  const nearPairs = pairs.filter((pair) => pair.kind === 1);
  return {
    list, beforeScores: false, ...overlapsOf(found.map(({ pair }) => pair)), overlapsExact: true, otherOverlaps: 0,
    nevers: [{ name: "another journal or conference", when: "l.series <> r.series", removed: Math.round(found.length / 140), ways: [] }],
    near: near ? { amount: 0.1, pairs: nearPairs.length, conditions: [] } : null,
    thresholds: RULES.flatMap((rule, number) => [...new Set(rule.ways.flat())].filter((condition) => (CONDITIONS[condition]?.threshold ?? null) !== null).map((condition) => thresholdFacts(pairs, number, condition, near))),
  };
}

function overlapsOf(found: TestPair[]): Pick<Rules, "overlaps"> {
  const sets = new Map<string, number>();
  for (const pair of found) sets.set(pair.holding.join(" "), (sets.get(pair.holding.join(" ")) ?? 0) + 1);
  const overlaps = [...sets].map(([text, pairs]) => ({ rules: text.split(" ").map(Number), pairs })).sort((a, b) => b.pairs - a.pairs);
  return { overlaps: overlaps.slice(0, 64) };
}

function thresholdFacts(pairs: TestPair[], rule: number, condition: number, near: boolean): ThresholdFacts {
  const threshold = CONDITIONS[condition]?.threshold;
  const value = threshold?.value ?? 0;
  const whole = threshold?.whole === true;
  const width = whole ? 1 : (1 - value) / 8;
  const measured = (pair: TestPair): number => pair.findings[condition]?.measured ?? NaN;
  const mine = pairs.map((pair, number) => ({ pair, number })).filter(({ pair }) => pair.kind === 0 && pair.holding.includes(rule));
  const bins: ThresholdBin[] = Array.from({ length: whole ? 4 : 8 }, (_, i) => ({ from: value + i * width, to: value + (i + 1) * width, pairs: 0, lost: 0 }));
  for (const { pair } of mine) {
    const bin = bins[Math.min(bins.length - 1, Math.floor((measured(pair) - value) / width + 1e-9))];
    if (bin === undefined) continue;
    bin.pairs++;
    if (pair.holding.length === 1) bin.lost++;
  }
  const misses = pairs.map((pair, number) => ({ pair, number })).filter(({ pair }) => pair.kind === 1 && pair.rule === rule && pair.condition === condition);
  const belowWidth = whole ? 1 : 0.1 / 4;
  const below = Array.from({ length: whole ? 1 : 4 }, (_, i) => {
    const from = value - (whole ? 1 : 0.1) + i * belowWidth;
    return { from, to: from + belowWidth, pairs: misses.filter(({ pair }) => measured(pair) >= from && measured(pair) < from + belowWidth).length };
  });
  const nearest = (a: { pair: TestPair }, b: { pair: TestPair }): number => Math.abs(measured(a.pair) - value) - Math.abs(measured(b.pair) - value);
  return {
    rule, condition, above: bins, below: near ? below : null, near: near ? misses.length : null, exact: true, belowExact: true,
    examples: mine.sort(nearest).slice(0, 20).map((entry) => entry.number),
    misses: near ? misses.sort(nearest).slice(0, 20).map((entry) => entry.number) : [],
  };
}
