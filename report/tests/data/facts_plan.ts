/** Plan, time and words of a made-up run. */
import type { Plan, StageFacts, Words } from "../../src/data";
import { CONDITIONS, RULES } from "./job";

export function planFacts(pairs: number): Plan {
  const step = (depth: number, condition: number, tried: number, passed: number, rules: number[]) => ({
    depth, check: CONDITIONS[condition]?.text ?? "", expectedPass: Math.min(1, (passed / Math.max(1, tried)) * 1.04), tried, passed, seconds: tried * 7e-8, nanoseconds: 62, table: condition === 5,
    rules: rules.map((rule) => RULES[rule]?.name ?? ""),
  });
  const candidates = Math.round(pairs * 1.1);
  return {
    seconds: 0.127, nearBranches: [], tables: [{ check: CONDITIONS[5]?.text ?? "", values: [2316, 2187], seconds: 0.004 }],
    branches: [
      {
        path: "equi_join", on: ["l.letters = r.letters"], filters: [], rules: [RULES[0]?.name ?? "", RULES[3]?.name ?? ""], settled: [], estimatedCandidates: candidates, exact: true, candidates, pairs: Math.round(pairs * 0.9), estimatedSeconds: 0.0011, seconds: 0.0014, place: null,
        steps: [step(0, 1, candidates, Math.round(candidates * 0.9), []), step(1, 2, Math.round(candidates * 0.9), Math.round(candidates * 0.89), [0]), step(0, 6, candidates, Math.round(candidates * 0.33), [3])],
      },
      {
        path: "set_join", on: [CONDITIONS[4]?.text ?? ""], filters: ["l.names is not null"], rules: [RULES[1]?.name ?? "", RULES[2]?.name ?? ""], settled: [], estimatedCandidates: candidates * 1.4, exact: false, candidates: candidates * 4, pairs: Math.round(pairs * 0.1), estimatedSeconds: 0.012, seconds: 0.031, place: "cpu",
        steps: [step(0, 5, candidates * 4, candidates, [2]), step(0, 3, candidates * 4, Math.round(candidates * 0.8), []), step(1, 2, Math.round(candidates * 0.8), Math.round(candidates * 0.78), [1])],
      },
    ],
    timeline: timeline(pairs),
  };
}

function timeline(pairs: number): StageFacts[] {
  const stage = (operator: string, start: number, seconds: number, gpu: number | null = null): StageFacts => ({ operator, path: null, rules: [], input: pairs * 3, output: pairs, start, seconds, gpu, bytes: operator === "read" ? 744_360 : null });
  return [
    stage("read", 0, 0.0086), stage("derive", 0.0086, 0.0253), stage("encode", 0.034, 0.018), stage("statistics", 0.052, 0.009), stage("plan", 0.061, 0.014),
    { ...stage("join_and_verify", 0.075, 0.0014), path: "equi_join", rules: [RULES[0]?.name ?? ""] }, { ...stage("run_on_device", 0.077, 0.031, 0), path: "set_join", rules: [RULES[1]?.name ?? ""] },
    stage("sort", 0.108, 0.004), stage("write_pairs", 0.112, 0.009), stage("write_clusters", 0.114, 0.013),
  ];
}

export function wordsFacts(warnings: string[]): Words {
  return {
    warnings, training: [], withoutValues: null, sampling: [], simplified: [], sweep: null, nearBranches: [],
    notes: ["a `never` removes pairs, and clusters are made of the pairs that are left: two records that one forbids can still be in one cluster, through others that match both", "no GPU was used: no NVIDIA driver was found on this machine (libcuda)"],
    device: "on the CPU with 2 threads",
    search: "The run looked for near pairs: pairs that one threshold looser by 0.1 (counts by 1) would find.",
    branches: [
      { title: "Join on l.letters = r.letters", reason: "joining on l.year = r.year instead would take about 12 times as long", place: null, changes: [], warnings: [] },
      { title: `Join records with similar sets: ${CONDITIONS[4]?.text ?? ""}`, reason: "no equality of these rules can be joined on", place: "on the CPU: a GPU is not worth its start here", changes: ["the order of the checks was changed after 4,096 candidates: the check on authors refuses more than expected"], warnings: [] },
    ],
    stages: ["Read the inputs", "Compute derived columns", "Encode values", "Look at the data", "Plan", "Join and check", "Join on the GPU", "Sort pairs", "Write pairs", "Write clusters"],
  };
}
