/** Pairs of a made-up run: which records are compared, what holds for them, and the clusters that follow. */
import { CONDITIONS, evaluate, nearlyHolds, rulesThatHold, type TestFinding } from "./job";
import type { Publication } from "./publications";
import type { Random } from "./random";

export interface TestPair {
  left: number;
  right: number;
  kind: 0 | 1;
  rule: number;
  condition: number | null;
  holding: number[];
  findings: TestFinding[];
  slack: number | null;
}

/** All pairs of copies across the two inputs, and pairs of neighbours, most of which are no pairs. */
export function comparePublications(records: Publication[], random: Random, links: number): TestPair[] {
  const pairs: TestPair[] = [];
  const seen = new Set<string>();
  const look = (left: number, right: number, anyway: boolean): void => {
    const [a, b] = left < right ? [left, right] : [right, left];
    if (seen.has(`${a} ${b}`)) return;
    const pair = comparePair(records, a, b, anyway);
    if (pair === null) return;
    seen.add(`${a} ${b}`);
    pairs.push(pair);
  };
  const byWork = new Map<number, number[]>();
  records.forEach((record, row) => byWork.set(record.work, [...(byWork.get(record.work) ?? []), row]));
  for (const rows of byWork.values()) {
    for (const left of rows) for (const right of rows) if (left < right && (records[left]?.input !== records[right]?.input)) look(left, right, false);
  }
  const large = [...byWork.values()].filter((rows) => rows.length > 2);
  // Some clusters are joined by one pair alone.
  for (let i = 0; i < links && i + 1 < large.length; i++) look(large[i]?.[0] ?? 0, large[i + 1]?.[0] ?? 0, true);
  for (let i = 0; i < records.length / 4; i++) look(random.below(records.length), random.below(records.length), false);
  return pairs;
}

function comparePair(records: Publication[], left: number, right: number, anyway: boolean): TestPair | null {
  const [a, b] = [records[left], records[right]];
  if (a === undefined || b === undefined || left === right) return null;
  const findings = CONDITIONS.map((condition) => evaluate(condition, a, b));
  const holding = anyway ? [2] : rulesThatHold(findings);
  if (holding[0] !== undefined) return { left, right, kind: 0, rule: holding[0], condition: null, holding, findings, slack: anyway ? 0.01 : slackOf(findings) };
  const near = nearlyHolds(findings);
  if (near === null) return null;
  const missed = findings[near.condition]?.missedBy ?? 0;
  return { left, right, kind: 1, rule: near.rule, condition: near.condition, holding, findings, slack: -missed };
}

/** The least distance of a satisfied threshold, relative to the room there is. */
function slackOf(findings: TestFinding[]): number | null {
  const rooms = findings.flatMap(({ verdict, measured }, i) => {
    const threshold = CONDITIONS[i]?.threshold ?? null;
    if (verdict !== 1 || measured === null || threshold === null) return [];
    return [threshold.whole ? 1 : (measured - threshold.value) / (1 - threshold.value)];
  });
  return rooms.length === 0 ? null : Math.min(...rooms);
}

export interface TestCluster {
  records: number[];
  /** Numbers of pairs. */
  edges: number[];
  /** For each edge that is a bridge, the size of the smaller part. */
  bridges: Map<number, number>;
}

/** The connected groups of two records or more. */
export function clustersOf(records: number, pairs: TestPair[]): TestCluster[] {
  const parent = Array.from({ length: records }, (_, i) => i);
  const root = (i: number): number => {
    let at = i;
    while (parent[at] !== at) at = parent[at] ?? at;
    parent[i] = at;
    return at;
  };
  for (const pair of pairs) if (pair.kind === 0) parent[root(pair.right)] = root(pair.left);
  const byRoot = new Map<number, TestCluster>();
  const clusterOf = (record: number): TestCluster => {
    const found = byRoot.get(root(record)) ?? { records: [], edges: [], bridges: new Map<number, number>() };
    byRoot.set(root(record), found);
    return found;
  };
  for (let record = 0; record < records; record++) clusterOf(record).records.push(record);
  pairs.forEach((pair, number) => pair.kind === 0 && clusterOf(pair.left).edges.push(number));
  const clusters = [...byRoot.values()].filter((cluster) => cluster.records.length > 1);
  for (const cluster of clusters) cluster.bridges = bridgesOf(cluster, pairs);
  return clusters;
}

function bridgesOf(cluster: TestCluster, pairs: TestPair[]): Map<number, number> {
  const bridges = new Map<number, number>();
  for (const edge of cluster.edges) {
    const start = pairs[edge]?.left ?? 0;
    const reached = new Set([start]);
    let grown = true;
    while (grown) {
      grown = false;
      for (const other of cluster.edges) {
        const pair = pairs[other];
        if (other === edge || pair === undefined || reached.has(pair.left) === reached.has(pair.right)) continue;
        reached.add(pair.left).add(pair.right);
        grown = true;
      }
    }
    if (reached.size < cluster.records.length) bridges.set(edge, Math.min(reached.size, cluster.records.length - reached.size));
  }
  return bridges;
}
