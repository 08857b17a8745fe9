/** Parts that need no browser. */
import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { splitTables } from "../../src/model/decode";
import { difference } from "../../src/model/difference";
import { bytes, count, number, seconds, share, shorten, signed } from "../../src/model/format";
import { Groups } from "../../src/model/groups";
import { otherValues } from "../../src/model/other_values";
import { foundBy, isScoredAlone, neverNumbers, ruleNumbers } from "../../src/model/rule_words";
import { sortRows } from "../../src/model/sort";
import { bestRows, judgeOf, lineFigure, sweepLines } from "../../src/model/sweep";
import { makeTables } from "../../src/model/tables";
import { edgeOf, effectOf, thresholdPlaces } from "../../src/model/threshold";
import { visible } from "../../src/model/visible";
import { addressOf, opening, parseRoute } from "../../src/route";
import { container } from "../data/container";
import { rulesFacts } from "../data/facts_rules";
import { sweepFacts } from "../data/facts_sweep";
import { Random } from "../data/random";
import { makeSample } from "../data/samples";

describe("differences", () => {
  it("keep both texts, and agree on what is common", () => {
    const random = new Random(3);
    const word = (): string => Array.from({ length: random.below(30) }, () => random.pick(["a", "b", "c", " ", "👩", "é", "e\u0301"])).join("");
    for (let i = 0; i < 2000; i++) {
      const [a, b] = [word(), word()];
      const { left, right } = difference(a, b);
      assert.equal(left.map(({ text }) => text).join(""), a);
      assert.equal(right.map(({ text }) => text).join(""), b);
      const same = (pieces: typeof left): string => pieces.filter((piece) => piece.same).map(({ text }) => text).join("");
      assert.equal(same(left), same(right));
    }
  });

  it("mark single characters of like texts, and others as a whole", () => {
    assert.deepEqual(difference("similarity", "simularity").left, [{ text: "sim", same: true }, { text: "i", same: false }, { text: "larity", same: true }]);
    assert.deepEqual(difference("abcd", "abd").right, [{ text: "ab", same: true }, { text: "", same: false }, { text: "d", same: true }]);
    assert.equal(difference("Elif Castillo", "Greta Müller").whole, true);
  });

  it("take long texts in time", () => {
    const long = "x".repeat(10_000);
    assert.equal(difference(`a${long}b`, `c${long}d`).left.map(({ text }) => text).join("").length, 10_002);
  });
});

describe("sorting", () => {
  it("is that of a plain sort, and stable", () => {
    const random = new Random(5);
    const texts = Array.from({ length: 500 }, () => random.pick(["Ab", "abc", "abcdef", "b", "", "zoë", "Zoe", "abcdeg", "\uffff", "a"]) + random.pick(["", "1", "22"]));
    const rows = texts.map((_, i) => i);
    const plain = [...rows].sort((a, b) => compare(texts[a] ?? "", texts[b] ?? "") || a - b);
    assert.deepEqual(Array.from(sortRows(rows, (row) => texts[row] ?? "", false)), plain);
    const numbers = texts.map(() => (random.chance(0.1) ? NaN : random.below(50) - 25));
    const known = rows.filter((row) => !Number.isNaN(numbers[row]));
    const falling = known.sort((a, b) => (numbers[b] ?? 0) - (numbers[a] ?? 0) || a - b);
    assert.deepEqual(Array.from(sortRows(rows, (row) => numbers[row] ?? NaN, true)), [...falling, ...rows.filter((row) => Number.isNaN(numbers[row]))]);
  });

  function compare(a: string, b: string): number {
    const [x, y] = [a.toLowerCase(), b.toLowerCase()];
    return x < y ? -1 : x > y ? 1 : 0;
  }
});

describe("numbers of rules", () => {
  const rules = rulesFacts([], false);
  const [first] = rules.list;
  assert.ok(first !== undefined);
  const score = { ...first, name: "score", made: true };

  it("are those of the rules that somebody wrote", () => {
    assert.equal(foundBy(rules), `by ${rules.list.length} rules`);
    assert.equal(foundBy({ ...rules, list: [score] }), "by score");
    assert.equal(foundBy({ ...rules, list: [first, score] }), "by 1 rule and by score");
    assert.equal(foundBy({ ...rules, list: [] }), "by 0 rules");
    assert.deepEqual([rules, { ...rules, list: [score] }, { ...rules, list: [] }].map(isScoredAlone), [false, true, false]);
  });

  it("say where scores come after them", () => {
    assert.doesNotMatch(ruleNumbers(rules) + neverNumbers(rules), /scores/);
    const scored = { ...rules, beforeScores: true };
    assert.match(ruleNumbers(scored), /These count pairs before scores; in the result are those that their score keeps\.$/);
    assert.match(neverNumbers(scored), /counted before scores/);
    assert.equal(ruleNumbers({ ...scored, list: [score] }), "Nobody wrote a rule: every pair is found by its score.");
  });
});

describe("other values", () => {
  it("are those of the cluster beside the one of its entity", () => {
    const { facts, tables: written } = makeSample("scores");
    const tables = makeTables(facts, splitTables(Uint8Array.from(container(written))));
    const columns = facts.entities?.columns ?? [];
    assert.ok(columns.some((column) => column.examples.some((example) => example.others > 1)));
    for (const column of columns) {
      for (const example of column.examples) {
        const values = otherValues(tables, column, example);
        assert.equal(values.length, Math.min(4, example.others));
        assert.ok(!values.includes(example.value ?? ""));
        const record = example.record ?? -1;
        assert.equal(tables.records.value(column.column ?? -1, record), example.value);
        assert.equal(tables.records.cluster[record], example.cluster);
      }
    }
  });
});

describe("groups", () => {
  it("have the rows of each key, in order", () => {
    const groups = new Groups(4, [2, 0, -1, 2], [1, 0, 3, 3]);
    assert.deepEqual([0, 1, 2, 3].map((key) => Array.from(groups.of(key)).sort()), [[1, 1], [0], [0, 3], [2, 3]]);
  });
});

describe("thresholds", () => {
  const facts = { rule: 0, condition: 0, near: 5, exact: true, belowExact: true, examples: [], misses: [], above: [{ from: 0.8, to: 0.9, pairs: 7, lost: 2 }, { from: 0.9, to: 1, pairs: 20, lost: 1 }], below: [{ from: 0.7, to: 0.75, pairs: 1 }, { from: 0.75, to: 0.8, pairs: 4 }] };
  const atLeast = { measure: "jaro(l.a, r.a)", value: 0.8, direction: "atLeast" as const, inclusive: true, whole: false, step: 0.1 };

  it("say what a stricter and a looser one would do", () => {
    assert.deepEqual(thresholdPlaces(facts, atLeast), [0.7, 0.75, 0.8, 0.9]);
    assert.deepEqual(effectOf(facts, atLeast, 0.8), { kind: "same" });
    assert.deepEqual(effectOf(facts, atLeast, 0.9), { kind: "stricter", pairs: 7, lost: 2 });
    assert.deepEqual(effectOf(facts, atLeast, 0.75), { kind: "looser", pairs: 4 });
    assert.deepEqual(effectOf(facts, atLeast, 0.7), { kind: "looser", pairs: 5 });
  });

  it("count whole numbers of at most so many", () => {
    const atMost = { ...atLeast, value: 2, direction: "atMost" as const, whole: true };
    const edits = { ...facts, above: [{ from: 0, to: 1, pairs: 9, lost: 0 }, { from: 1, to: 2, pairs: 5, lost: 1 }, { from: 2, to: 3, pairs: 3, lost: 3 }], below: [{ from: 3, to: 4, pairs: 8 }] };
    assert.deepEqual(thresholdPlaces(edits, atMost), [0, 1, 2, 3]);
    assert.deepEqual(effectOf(edits, atMost, 1), { kind: "stricter", pairs: 3, lost: 3 });
    assert.deepEqual(effectOf(edits, atMost, 3), { kind: "looser", pairs: 8 });
    const below = { ...atMost, value: 3, inclusive: false };
    assert.deepEqual(thresholdPlaces(edits, below), [1, 2, 3, 4]);
    assert.deepEqual(effectOf(edits, below, 2), { kind: "stricter", pairs: 3, lost: 3 });
    assert.deepEqual([edgeOf(atMost, 2), edgeOf(below, 3), edgeOf(atLeast, 0.8)], [3, 3, 0.8]);
  });
});

describe("sweeps", () => {
  const [truth, labels, change] = [sweepFacts("truth"), sweepFacts("labels"), sweepFacts("change")];

  it("are judged in one way", () => {
    assert.deepEqual([truth, labels, change].map(judgeOf), ["truth", "labels", "change"]);
    assert.deepEqual([truth, labels, change].map((sweep) => lineFigure(sweep.rows[1] ?? assert.fail(), judgeOf(sweep))), [0.97, 0.97, 0.94]);
  });

  it("mark all rows with the highest figure, and none where nothing is known", () => {
    const { rows } = truth;
    assert.deepEqual([...bestRows(rows, (row) => row.byTruth?.f1 ?? null)], [1]);
    assert.deepEqual(bestRows(rows, (row) => row.byTruth?.recall ?? null).size, 7);
    assert.equal(bestRows(rows, (row) => row.agreement).size, 0);
  });

  it("have a line for each method that is known at two thresholds", () => {
    assert.deepEqual(sweepLines(truth.rows, "truth").map(({ points }) => points.length), Array.from({ length: 7 }, () => 6));
    assert.equal(sweepLines(change.rows, "change")[0]?.points[0]?.value, null);
    assert.equal(sweepLines(change.rows.filter((_, i) => i % 6 < 2), "change").length, 0);
    assert.equal(sweepLines(truth.rows.map((row) => ({ ...row, threshold: null })), "truth").length, 0);
  });
});

describe("texts", () => {
  it("of numbers are those that people write", () => {
    assert.deepEqual([count(1234567.4), number(0.84615), number(-3.5), signed(-2.984), signed(0.001), shorten("abcdef", 4)], ["1,234,567", "0.8462", "−3.5", "−2.98", "0.00", "abc…"]);
    assert.deepEqual([share(0.123), share(1), share(0), share(0.999999), seconds(0.127), seconds(7), seconds(200), bytes(523_000_000)].map((text) => text.replaceAll("\u202f", " ")), ["12.3 %", "100 %", "0 %", "almost 100 %", "127 ms", "7.00 s", "3 min 20 s", "523 MB"]);
  });

  it("show what cannot be seen, and leave pictographs alone", () => {
    assert.deepEqual(visible("a\u200Bb").map(({ invisible }) => invisible), [null, "zero-width space", null]);
    assert.equal(visible("👩‍👩‍👧").length, 1);
  });
});

describe("addresses", () => {
  it("lead back to where they are from", () => {
    const route = parseRoute("#/rules/2?pair=12&x=1");
    assert.deepEqual([route.section, route.items], ["rules", [2]]);
    assert.equal(opening(route, "cluster", 7), "#/rules/2?x=1&cluster=7");
    assert.equal(parseRoute("#/no/such").section, "overview");
    assert.equal(addressOf("pairs", [], { exactly: "0.1" }), "#/pairs?exactly=0.1");
  });
});
