/** Which explained pairs are shown: the filters that links to the pairs carry. */
import { ruleNumbers } from "./numbers_of_text";
import type { Tables } from "./tables";

export interface PairFilter {
  kind: number;
  /** The rule that owns the pair. */
  rule: number;
  /** A rule that holds, or that a near pair nearly satisfies. */
  holds: number;
  /** Exactly these rules hold. */
  exactly: number[] | null;
  /** The measured value of this condition is from `from` to below `to`; without a condition, the score is. */
  condition: number;
  from: number;
  to: number;
}

export function pairFilter(query: URLSearchParams): PairFilter {
  const place = (key: string): number => {
    const text = query.get(key) ?? "";
    return /^\d+$/.test(text) ? Number(text) : -1;
  };
  const real = (key: string): number => (query.has(key) ? Number(query.get(key)) : NaN);
  const exactly = query.get("exactly");
  return {
    kind: place("kind"), rule: place("rule"), holds: place("holds"), condition: place("condition"), from: real("from"), to: real("to"),
    exactly: exactly === null ? null : exactly.split(".").map(Number).filter(Number.isInteger),
  };
}

/** Numbers of the pairs that pass. */
export function selectPairs(tables: Tables, filter: PairFilter): Uint32Array {
  const { pairs } = tables;
  const measured = filter.condition >= 0 ? measuredIn(tables, filter) : null;
  const byScore = filter.condition < 0 && Number.isFinite(filter.from);
  const exactly = filter.exactly?.join(" ");
  const kept: number[] = [];
  for (let pair = 0; pair < pairs.length; pair++) {
    if (filter.kind >= 0 && pairs.kind[pair] !== filter.kind) continue;
    if (filter.rule >= 0 && pairs.rule[pair] !== filter.rule) continue;
    if (exactly !== undefined && (pairs.kind[pair] !== 0 || pairs.rulesText(pair) !== exactly)) continue;
    if (measured !== null && measured[pair] !== 1) continue;
    if (byScore && !inside(pairs.score[pair] ?? NaN, filter)) continue;
    if (filter.holds >= 0 && !holdsOrNearly(tables, pair, filter.holds)) continue;
    kept.push(pair);
  }
  return Uint32Array.from(kept);
}

function holdsOrNearly({ pairs }: Tables, pair: number, rule: number): boolean {
  return pairs.rule[pair] === rule || ruleNumbers(pairs.rulesText(pair)).includes(rule);
}

function measuredIn({ pairs, findings }: Tables, filter: PairFilter): Uint8Array {
  const passes = new Uint8Array(pairs.length);
  for (let row = 0; row < findings.length; row++) {
    if (findings.condition[row] === filter.condition && inside(findings.measured[row] ?? NaN, filter)) passes[findings.pair[row] ?? 0] = 1;
  }
  return passes;
}

/** The best value of a measure belongs to the bin that ends there. Without `to`, there is no end. */
function inside(value: number, filter: PairFilter): boolean {
  if (!(value >= filter.from)) return false;
  return Number.isNaN(filter.to) || value < filter.to || (value === filter.to && filter.to === 1);
}
