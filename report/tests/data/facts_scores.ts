/** The scores of a made-up run: a model with levels, and what they add for each pair. */
import type { ComparisonFacts, Evaluation, Expectation, LevelFacts, ReliabilityBin, Scores } from "../../src/data";
import type { TestPair } from "./findings";
import type { Publication } from "./publications";

const PRIOR = -7.4;

function level(text: string, m: number | null, u: number | null): LevelFacts {
  return { text, m, u, mFrom: m === null ? null : "trained", uFrom: u === null ? null : "counted", weight: m === null || u === null ? 0 : Math.log2(m / u), weightError: m === null ? null : 0.05, mPairs: m === null ? null : Math.round(1000 * m), pairs: 0 };
}

function comparisons(): ComparisonFacts[] {
  const make = (name: string, levels: LevelFacts[]): ComparisonFacts => ({ name, levels: [...levels, level("null", null, null)], similarity: null, termFrequency: null });
  return [
    make("title", [level("l.letters = r.letters", 0.62, 0.00021), level("dice(qgrams(l.letters, 2), qgrams(r.letters, 2)) >= 0.9", 0.27, 0.00074), level("else", 0.11, 0.999)]),
    make("authors", [level("l.names = r.names", 0.71, 0.00093), level("jaccard(words(l.names), words(r.names)) >= 0.5", 0.21, 0.0018), level("else", 0.08, 0.997)]),
    make("year", [level("l.year = r.year", 0.97, 0.104), level("else", 0.03, 0.896)]),
  ];
}

/** Conditions that stand for the levels, the first that holds counts. */
const LEVEL_CONDITIONS = [[0, 3], [6, 5], [1]];

export interface TestStep {
  comparison: number;
  level: number;
  adds: number;
  termFrequency: number | null;
}

/** What each comparison adds for a pair. */
export function stepsOf(pair: TestPair, model: ComparisonFacts[]): TestStep[] {
  return LEVEL_CONDITIONS.map((conditions, comparison) => {
    const levels = model[comparison]?.levels ?? [];
    // Pairs that were joined on purpose are drawn as weak ones.
    if (pair.slack === 0.01) return { comparison, level: 1, adds: levels[1]?.weight ?? 0, termFrequency: null };
    const open = pair.findings[conditions[0] ?? 0]?.verdict === 2;
    const first = conditions.findIndex((condition) => pair.findings[condition]?.verdict === 1);
    const place = open ? levels.length - 1 : first < 0 ? conditions.length : first;
    const rare = comparison === 1 && place === 0 ? ((pair.left % 7) - 3) * 0.41 : null;
    return { comparison, level: place, adds: levels[place]?.weight ?? 0, termFrequency: rare };
  });
}

export function scoreOf(steps: TestStep[]): number {
  return steps.reduce((sum, step) => sum + step.adds + (step.termFrequency ?? 0), PRIOR);
}

export function scoresFacts(pairs: TestPair[]): { scores: Scores; scoreOfPair: number[]; steps: TestStep[][] } {
  const model = comparisons();
  const authors = model[1];
  if (authors !== undefined) authors.termFrequency = termFrequency();
  const steps = pairs.map((pair) => stepsOf(pair, model));
  const scoreOfPair = steps.map(scoreOf);
  for (const [i, own] of steps.entries()) if (pairs[i]?.kind === 0) for (const step of own) { const found = model[step.comparison]?.levels[step.level]; if (found !== undefined) found.pairs++; }
  const results = scoreOfPair.map((score, pair) => ({ score, pair })).filter(({ pair }) => pairs[pair]?.kind === 0).sort((a, b) => a.score - b.score);
  const low = Math.floor(results[0]?.score ?? 0);
  const high = Math.ceil((results.at(-1)?.score ?? 0) + 0.01);
  const bins = results.length === 0 ? [] : Array.from({ length: 48 }, (_, i) => ({ from: low + ((high - low) * i) / 48, to: low + ((high - low) * (i + 1)) / 48, pairs: 0 }));
  for (const { score } of results) { const bin = bins[Math.floor(((score - low) / (high - low)) * 48)]; if (bin !== undefined) bin.pairs++; }
  const scores: Scores = {
    kind: "weight", unit: "match weight (bits)", threshold: low, thresholdProbability: 1 / (1 + 2 ** -low), precision: null, expected: expectation(results.map(({ score }) => score), low), prior: 2 ** PRIOR, priorWeight: PRIOR,
    scored: pairs.length * 31, kept: results.length, histogram: bins, comparisons: model, weakest: results.slice(0, 100).map(({ pair }) => pair),
  };
  return { scores, scoreOfPair, steps };
}

function probabilityOf(weight: number): number {
  return 1 / (1 + 2 ** -weight);
}

/** What a model expects of pairs with these match weights, which ascend: from each whole bit on. */
function expectation(weights: number[], low: number): Expectation {
  const steps = Math.max(1, Math.floor((weights.at(-1) ?? low) - low));
  const own = Array.from({ length: steps }, (_, bit) => weights.filter((weight) => weight >= low + bit));
  const sums = own.map((some) => some.reduce((sum, weight) => sum + probabilityOf(weight), 0));
  const matches = (sums[0] ?? 0) * 1.05;
  const thresholds = own.map((some, bit) => {
    const truePairs = sums[bit] ?? 0;
    return { threshold: low + bit, probability: probabilityOf(low + bit), pairs: some.length, truePairs, precision: some.length === 0 ? null : truePairs / some.length, recall: matches === 0 ? null : truePairs / matches };
  });
  return { matches, byPrior: true, certain: 0, thresholds };
}

/** Pairs by their match probability. */
function reliability(order: { score: number; isTrue: boolean }[]): ReliabilityBin[] {
  const ends = [0.5, 0.9, 0.99, 0.999, 1];
  const bins = ends.map((to, i) => {
    const from = ends[i - 1] ?? 0;
    const own = order.filter(({ score }) => probabilityOf(score) >= from && (to === 1 || probabilityOf(score) < to));
    return { from, to, pairs: own.length, expected: own.reduce((sum, { score }) => sum + probabilityOf(score), 0), both: own.filter((pair) => pair.isTrue).length };
  });
  return bins.filter((bin) => bin.pairs > 0);
}

function termFrequency(): ComparisonFacts["termFrequency"] {
  return {
    column: "names", given: null, lacking: 0, values: 2316, rarestAdds: 4.2,
    frequent: ["richard snodgrass", "michael franklin", "ling liu", "karl aberer"].map((value, i) => ({ value, records: 25 - i * 4, adds: -2.1 + i * 0.3 })),
    histogram: Array.from({ length: 14 }, (_, i) => ({ from: -2.5 + i * 0.5, to: -2 + i * 0.5, values: Math.round(2 ** (i * 0.75)), records: Math.round(2 ** (i * 0.7) * 3) })),
  };
}

/** The truth: copies of one work. */
export function evaluation(records: Publication[], pairs: TestPair[], scoreOfPair: number[] | null): Evaluation {
  const isTrue = (pair: TestPair): boolean => records[pair.left]?.work === records[pair.right]?.work;
  const found = pairs.filter((pair) => pair.kind === 0);
  const both = found.filter(isTrue).length;
  const truePairs = Math.round(both * 1.012) + 1;
  const rules = [...new Set(found.map((pair) => pair.rule))].sort((a, b) => a - b).map((rule) => ({ rule, found: found.filter((pair) => pair.rule === rule).length, both: found.filter((pair) => pair.rule === rule && isTrue(pair)).length }));
  const order = scoreOfPair === null ? [] : pairs.map((pair, i) => ({ pair, score: scoreOfPair[i] ?? 0 })).filter(({ pair }) => pair.kind === 0).sort((a, b) => b.score - a.score);
  const step = Math.max(1, Math.floor(order.length / 60));
  let trueSoFar = 0;
  const thresholds = order.map(({ pair, score }, i) => ({ threshold: score, found: i + 1, both: (trueSoFar += isTrue(pair) ? 1 : 0) })).filter((_, i) => i % step === 0);
  const precision = found.length === 0 ? null : both / found.length;
  const recall = both / truePairs;
  return { found: found.length, truePairs, both, precision, recall, f1: precision === null ? null : (2 * precision * recall) / (precision + recall), rules, thresholds, reliability: reliability(order.map(({ pair, score }) => ({ score, isTrue: isTrue(pair) }))) };
}
