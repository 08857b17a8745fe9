// The score of one pair, comparison by comparison, as far as it can still reach the threshold.
//
// `bound` is the most that the score can be: it begins with the largest weight of every comparison, each verdict takes off
// what is out of reach then, and it is the score when all outcomes are known. Weights are whole numbers, so it is the number
// that the host finds, in whatever order comparisons are looked at. Pairs of certain rules are kept whatever their score,
// which is wanted all the same: their threshold is in reach of every pair.
#pragma once
#include "checks.h"
#include "score_layout.h"

// The threshold of pairs that are kept whatever their score.
constexpr i64 NO_THRESHOLD = -0x7fffffffffffffffll - 1;

struct ScoreWalk {
    const ScoreTables& tables;
    i64 threshold;
    i64 bound;
    u64 pattern;

    DEVICE ScoreWalk(const ScoreTables& tables, bool certain)
        : tables(tables), threshold(certain ? NO_THRESHOLD : tables.threshold), bound(tables.first), pattern(0) {}

    DEVICE bool is_out() const { return bound < threshold; }

    // The first node of a comparison.
    DEVICE u32 start(const ScoreComparison& of, u32 l) {
        const ScoreNode& root = tables.nodes[of.root];
        if (root.predicate == SCORE_REACHED) reach(of, root, l);
        return of.root;
    }

    // Goes on from a node while predicates take no more than an effort, the outcome is open and the threshold in reach.
    // `ask` gives the verdict on a predicate. What it does not decide ends the walk there, and is returned.
    template <class Ask> DEVICE u32 follow(const ScoreComparison& of, u32& here, u32 effort, u32 l, const Ask& ask) {
        const ScoreNode* nodes = tables.nodes;
        ROLLED
        while (nodes[here].predicate != SCORE_REACHED && nodes[here].effort <= effort && !is_out()) {
            const u32 truth = ask(nodes[here].predicate);
            if (truth >= NEEDS_EXPENSIVE) return truth;
            const u32 next = nodes[here].next[truth - 1];
            bound += nodes[next].most - nodes[here].most;
            here = next;
            if (nodes[here].predicate == SCORE_REACHED) reach(of, nodes[here], l);
        }
        return TRUTH_TRUE;
    }

    // An outcome is known: the adjustment takes the place of the largest one.
    DEVICE void reach(const ScoreComparison& of, const ScoreNode& node, u32 l) {
        pattern += node.part;
        if (!node.adjusted) return;
        const u32 code = of.codes[l];
        bound += (code == NULL_CODE ? 0 : of.adjustments[code]) - of.most_adjustment;
    }
};
