// The verifier inside a kernel: the flattened tree of a branch, evaluated for candidates as they are enumerated.
//
// A warp walks its 32 candidates through cheap checks (codes, signatures, tables). Those that need an expensive check (a
// measure of texts, an intersection of sets) or have passed wait in the warp's queue in shared memory until there are 32
// of them, so that expensive work is done with all lanes busy. A pair that passes belongs to the first conjunction that
// holds; only the branch of that conjunction emits it. Where the host is needed, the pair leaves with what is known.
//
// Where pairs are scored, those that codes do not rule out at a glance wait in the queue once more, so that their measures
// are evaluated with all lanes busy, and only those that reach the threshold are emitted, with their scores.
#pragma once
#include "checks.h"
#include "components.h"
#include "consume_layout.h"
#include "gate.h"
#include "score.h"

constexpr u32 WARP = 32;
constexpr u32 QUEUE = 2 * WARP;

// Marks a candidate for which a conjunction of the branch may hold, and the step after the last.
constexpr u32 PASSED = 0x80000000u;
constexpr u32 AT_END = 0x7fffffffu;

// In place of a step, with the owning rule: a pair that has an owner and waits for its score.
constexpr u32 SCORING = 0x40000000u;

// What is known of a candidate: true, false, or null (both), by slot.
struct Known {
    u64 yes;
    u64 no;

    DEVICE u32 recall(u32 slot) const {
        if (slot == NO_SLOT) return TRUTH_UNKNOWN;
        return (u32)(yes >> slot & 1) * 2u | (u32)(no >> slot & 1);
    }

    DEVICE void remember(u32 slot, u32 truth) {
        if (slot == NO_SLOT) return;
        yes |= (u64)(truth >> 1) << slot;
        no |= (u64)(truth & 1) << slot;
    }
};

// The queue of a warp.
struct VerifyQueue {
    u32 l[QUEUE];
    u32 r[QUEUE];
    u32 step[QUEUE];
    u64 yes[QUEUE];
    u64 no[QUEUE];
};
static_assert(sizeof(VerifyQueue) == 1792, "shared with Rust");

// The consumer of candidates; see consume.h for the others. All lanes of a warp call it together.
struct Verify {
    static constexpr u32 SHARED = sizeof(VerifyQueue);
    static constexpr u32 COLUMNS = 2;
    static constexpr u32 ROOM = GATE_ROWS * GATE_QUADS;
    static constexpr bool SORTS_RECTANGLES = true;

    const VerifyRun& run;
    const Program& program;
    VerifyQueue& queue;
    u32 waiting; // the same in all lanes
    u64 candidates;
    u64 tallied; // each lane has the counter of its own number

    DEVICE Verify(const Consume& consume, unsigned char* shared)
        : run(*consume.verify), program(*run.program), queue(*reinterpret_cast<VerifyQueue*>(shared)),
          waiting(0), candidates(0), tallied(0) {}

    DEVICE void take(bool valid, u32 l, u32 r) {
        valid = valid && !is_enough();
        candidates += valid;
        Known known = {program.implied_true, program.implied_false};
        u32 step = program.settled ? PASSED : 0;
        bool waits = valid && walk(l, r, step, known);
        settle(waits, l, r, step, known);
        drain_full();
    }

    // Steps are counted by walking.
    DEVICE bool takes_rectangles() const { return program.gate_count != 0 && !run.count_steps; }

    template <int K>
    DEVICE void rectangle(const u32* rows, u32 count, const u32 (&lanes)[K], u32 width, bool swapped, uint4* room) {
        take_dense(rows, count, lanes, width, room, swapped ? GateSides::RowsRight : GateSides::RowsLeft);
    }

    DEVICE void sorted_rectangle(const u32* rows, u32 count, u32 own, u32 width, uint4* room) {
        const u32 lanes[1] = {own};
        take_dense(rows, count, lanes, width, room, GateSides::SmallerLeft);
    }

    DEVICE void finish() {
        ROLLED
        while (waiting > 0) drain(min(waiting, WARP));
        candidates = warp_sum(candidates);
        if (lane() == 0 && candidates) atomicAdd(counter(0), candidates);
        if (tallied) atomicAdd(counter(lane()), tallied);
    }

  protected:
    // Dense candidates: those that a clause of the gate admits wait at its first step. The clauses before have failed, and
    // with them all steps before.
    template <int K>
    DEVICE void take_dense(const u32* rows, u32 count, const u32 (&lanes)[K], u32 width, uint4* room, GateSides sides) {
        if (lane() == 0) candidates += static_cast<u64>(count) * width;
        ROLLED
        for (u32 top = 0; top < count; top += GATE_ROWS) {
            const GateBlock<K> block = {rows + top, min(count - top, GATE_ROWS), lanes, sides, room};
            const u32 all = FULL >> (GATE_ROWS - block.count);
            u32 open[K], admitted[K];
            UNROLL
            for (int j = 0; j < K; ++j) open[j] = 32 * j + lane() < width ? all : 0;
            ROLLED
            for (u32 at = 0; at < program.gate_count;) {
                const u32 step = program.gate[at].step;
                at = block.pass(program, at, open, admitted);
                UNROLL
                for (int j = 0; j < K; ++j) {
                    open[j] &= ~admitted[j];
                    take_rows(block.rows, admitted[j], lanes[j], sides, step);
                }
            }
        }
    }

    // Each lane's row with the rows of a mask.
    DEVICE void take_rows(const u32* rows, u32 mask, u32 own, GateSides sides, u32 step) {
        ROLLED
        while (__any_sync(FULL, mask != 0)) {
            const bool mine = mask != 0;
            const u32 row = mine ? rows[__ffs(mask) - 1] : 0;
            mask &= mask - 1;
            const bool turned = sides == GateSides::RowsRight || (sides == GateSides::SmallerLeft && own < row);
            settle(mine, turned ? own : row, turned ? row : own, step, {program.implied_true, program.implied_false});
            drain_full();
        }
    }

    // Whether a lane has taken all that it takes of a trial.
    DEVICE bool is_enough() const { return run.count_steps && run.most && candidates >= run.most; }

    // To compare: without gathering, expensive checks are done by the few lanes that need them.
    DEVICE void drain_full() {
        ROLLED
        while (waiting >= (run.no_queue ? 1 : WARP)) drain(min(waiting, WARP));
    }

    DEVICE u64* counter(u32 at) const {
        return run.counters + at;
    }

    // The verdict on a predicate, known or by a cheap check, or that more than that is needed.
    DEVICE u32 evaluate(const Check& check, u32 l, u32 r, Known& known) const {
        u32 truth = known.recall(check.slot);
        if (truth != TRUTH_UNKNOWN) return truth;
        truth = evaluate_cheaply(check, l, r);
        if (truth < NEEDS_EXPENSIVE) known.remember(check.slot, truth);
        return truth;
    }

    // The same, by an expensive check where it takes one.
    DEVICE u32 evaluate_fully(const Check& check, u32 l, u32 r, Known& known) const {
        u32 truth = evaluate(check, l, r, known);
        if (truth != NEEDS_EXPENSIVE) return truth;
        truth = evaluate_expensive(check, l, r);
        if (truth < NEEDS_EXPENSIVE) known.remember(check.slot, truth);
        return truth;
    }

    DEVICE_CALL void count_step(u32 step, bool holds) const {
        u64* tried = counter(1 + 2 * run.all_rules + run.all_nevers + 2 * step);
        atomicAdd(tried, u64(1));
        if (holds) atomicAdd(tried + 1, u64(1));
    }

    // Walks the tree from a step on, until an expensive check must wait or the end. False where the candidate has failed.
    //
    // What only the host can decide is taken to hold: the walk then sees all that it could have seen, and whether anything
    // depends on the host is found where owners are.
    DEVICE bool walk(u32 l, u32 r, u32& step, Known& known) const {
        const Step* steps = program.steps;
        u32 here = step & ~PASSED, passed = step & PASSED;
        ROLLED
        while (here < program.step_count) {
            const Step& now = steps[here];
            u32 truth = evaluate(program.checks[now.literal.predicate], l, r, known);
            if (truth == NEEDS_EXPENSIVE) {
                step = here | passed;
                return true;
            }
            bool holds = truth == now.literal.want || truth == NEEDS_HOST;
            if (run.count_steps) count_step(here, holds);
            if (holds && now.completes) passed = PASSED;
            here = holds ? here + 1 : now.skip;
        }
        step = PASSED | AT_END;
        return passed != 0;
    }

    // Takes a candidate over the expensive check it waits for, and on to the next.
    DEVICE bool walk_on(u32 l, u32 r, u32& step, Known& known) const {
        const Step& now = program.steps[step & ~PASSED];
        u32 truth = evaluate_fully(program.checks[now.literal.predicate], l, r, known);
        bool holds = truth == now.literal.want || truth == NEEDS_HOST;
        if (run.count_steps) count_step(step & ~PASSED, holds);
        u32 passed = holds && now.completes ? PASSED : step & PASSED;
        step = (holds ? (step & ~PASSED) + 1 : now.skip) | passed;
        return walk(l, r, step, known);
    }

    // Puts those that wait into the queue.
    DEVICE void settle(bool waits, u32 l, u32 r, u32 step, const Known& known) {
        u32 lanes = __ballot_sync(FULL, waits);
        if (waits) {
            u32 place = waiting + __popc(lanes & lanes_below());
            queue.l[place] = l;
            queue.r[place] = r;
            queue.step[place] = step;
            queue.yes[place] = known.yes;
            queue.no[place] = known.no;
        }
        waiting += __popc(lanes);
        __syncwarp(FULL);
    }

    // Takes the last `count` of the queue, one per lane, one expensive check further.
    DEVICE_CALL void drain(u32 count) {
        bool mine = lane() < count;
        u32 place = waiting - count + lane(), l = 0, r = 0, step = 0;
        Known known = {0, 0};
        if (mine) {
            l = queue.l[place];
            r = queue.r[place];
            step = queue.step[place];
            known = {queue.yes[place], queue.no[place]};
        }
        waiting -= count;
        __syncwarp(FULL);
        bool ended = mine && step == (PASSED | AT_END);
        bool owned = mine && !ended && (step & SCORING) != 0;
        if (__any_sync(FULL, ended)) own(ended, l, r, known);
        if (__any_sync(FULL, owned)) keep(owned, l, r, step & ~SCORING, known);
        bool waits = mine && !ended && !owned && walk_on(l, r, step, known);
        settle(waits, l, r, step, known);
    }

    // Whether all literals hold: true, false, or that the host is needed.
    DEVICE_CALL u32 holds(const Conjunction& conjunction, u32 l, u32 r, Known& known) const {
        const Literal* literals = program.literals;
        bool host = false;
        ROLLED
        for (u32 i = conjunction.begin; i < conjunction.end; i++) {
            u32 truth = evaluate_fully(program.checks[literals[i].predicate], l, r, known);
            if (truth == NEEDS_HOST) host = true;
            else if (truth != literals[i].want) return TRUTH_FALSE;
        }
        return host ? u32(NEEDS_HOST) : u32(TRUTH_TRUE);
    }

    // Whether a `never` forbids the pair, and which is the first that does. Where one before it needs the host, the host
    // says which.
    DEVICE u32 is_excluded(u32 l, u32 r, Known& known, u32& never) const {
        const Conjunction* nevers = program.nevers;
        ROLLED
        for (u32 i = 0; i < program.never_count; i++) {
            u32 held = holds(nevers[i], l, r, known);
            if (held == NEEDS_HOST) return NEEDS_HOST;
            if (held == TRUTH_FALSE) continue;
            never = nevers[i].rule;
            return first_never(l, r, known, never) ? u32(TRUTH_TRUE) : u32(NEEDS_HOST);
        }
        return TRUTH_FALSE;
    }

    // Looks for an earlier `never` among those that are shadowed by later ones; false where the host is needed.
    DEVICE bool first_never(u32 l, u32 r, Known& known, u32& never) const {
        const Conjunction* shadowed = program.nevers + program.never_count;
        ROLLED
        for (u32 i = 0; i < program.shadowed_count; i++) {
            if (shadowed[i].rule >= never) continue;
            u32 held = holds(shadowed[i], l, r, known);
            if (held == NEEDS_HOST) return false;
            if (held == TRUTH_TRUE) never = shadowed[i].rule;
        }
        return true;
    }

    // Finds the owners of pairs that have passed the tree: the first conjunction that holds, in any branch. A rule is
    // counted by the branch of its own first conjunction that holds. Nothing is counted for a pair that leaves for the
    // host, so what would be is gathered first: a first walk over the rules finds whether the host is needed at all.
    DEVICE_CALL void own(bool ended, u32 l, u32 r, Known known) {
        u32 never = NULL_CODE, owner = NULL_CODE;
        u32 excluded = ended ? is_excluded(l, r, known, never) : TRUTH_NULL;
        bool host = excluded == NEEDS_HOST, active = excluded == TRUTH_FALSE, forbidden = excluded == TRUTH_TRUE;
        if (active || forbidden) host = !find_owner(l, r, known, owner);
        active = active && !host;
        forbidden = forbidden && !host && owner != NULL_CODE;
        u32 open = __ballot_sync(FULL, host);
        if (open) send_to_host(open, host, l, r, known);
        const Rule* rules = program.rules;
        ROLLED
        for (u32 rule = 0; rule < program.rule_count; rule++) {
            bool counted = active && is_counted(rules[rule], l, r, known);
            count(1 + rule, counted);
            count(1 + run.all_rules + rule, active && owner == rule);
        }
        ROLLED
        for (u32 i = 0; i < run.all_nevers; i++) count(1 + 2 * run.all_rules + i, forbidden && never == i);
        const bool mine = active && owner != NULL_CODE;
        if (!run.score) emit(mine, l, r, owner, 0);
        else if (run.score->copies) count_patterns(mine, l, r, owner, known);
        else judge(mine, l, r, owner, known);
    }

    // Pairs wait for their scores, unless a glance rules them out; those of certain rules are ruled out by none.
    DEVICE void judge(bool mine, u32 l, u32 r, u32 owner, Known known) {
        const bool open = mine && (run.score->certain[owner] || can_reach(l, r, known));
        settle(open, l, r, SCORING | owner, known);
    }

    // Looks at a pair: what codes say of all comparisons, then what signatures say of their measures. False where the
    // threshold is out of reach.
    DEVICE bool glance(ScoreWalk& walk, u32* nodes, u32 l, u32 r, Known& known) const {
        const ScoreTables& tables = *run.score;
        const auto ask = [&](u32 predicate) { return evaluate(program.checks[predicate], l, r, known); };
        ROLLED
        for (u32 i = 0; i < tables.count; i++) nodes[i] = walk.start(tables.comparisons[i], l);
        ROLLED
        for (u32 pass = 0; pass < 2; pass++) {
            ROLLED
            for (u32 i = 0; i < tables.count; i++) {
                walk.follow(tables.comparisons[i], nodes[i], pass == 0 ? EFFORT_CODES : EFFORT_MEASURE, l, ask);
                if (walk.is_out()) return false;
            }
        }
        return true;
    }

    // Whether a pair can reach the threshold, as far as a glance says. Few can, so measures wait until a warp has enough.
    DEVICE_CALL bool can_reach(u32 l, u32 r, Known& known) const {
        ScoreWalk walk(*run.score, false);
        u32 nodes[SCORE_COMPARISONS];
        return glance(walk, nodes, l, r, known);
    }

    // Whether a pair reaches the threshold, or is of a certain rule: true, with its pattern and its sum, false, or that the
    // host is needed.
    DEVICE_CALL u32 score(bool certain, u32 l, u32 r, Known& known, u64& pattern, i64& sum) const {
        const ScoreTables& tables = *run.score;
        ScoreWalk walk(tables, certain);
        u32 nodes[SCORE_COMPARISONS];
        if (!glance(walk, nodes, l, r, known)) return TRUTH_FALSE;
        const auto ask = [&](u32 predicate) { return evaluate_fully(program.checks[predicate], l, r, known); };
        ROLLED
        for (u32 effort = EFFORT_MEASURE; effort <= EFFORT_EXPRESSION; effort++) {
            ROLLED
            for (u32 i = 0; i < tables.count; i++) {
                const u32 truth = walk.follow(tables.comparisons[i], nodes[i], effort, l, ask);
                if (truth == NEEDS_HOST) return NEEDS_HOST;
                if (walk.is_out()) return TRUTH_FALSE;
            }
        }
        pattern = walk.pattern;
        sum = walk.bound;
        return TRUTH_TRUE;
    }

    // Emits the pairs that reach the threshold with their scores, and those that the host has to score.
    DEVICE_CALL void keep(bool mine, u32 l, u32 r, u32 owner, Known known) {
        u64 pattern = 0;
        i64 sum = 0;
        const bool certain = mine && run.score->certain[owner];
        const u32 kept = mine ? score(certain, l, r, known, pattern, sum) : u32(TRUTH_FALSE);
        emit(kept != TRUTH_FALSE, l, r, kept == NEEDS_HOST ? owner | UNSCORED : owner, sum);
    }

    // Counts pairs by pattern, those of a warp with one pattern together; emits those that the host has to count.
    DEVICE_CALL void count_patterns(bool mine, u32 l, u32 r, u32 owner, Known known) {
        u64 pattern = 0;
        i64 sum = 0;
        const u32 found = mine ? score(false, l, r, known, pattern, sum) : u32(TRUTH_FALSE);
        const bool counted = found == TRUTH_TRUE;
        const u32 same = __match_any_sync(FULL, counted ? pattern : ~u64(0));
        const u32 first = __ffs(same) - 1;
        u32 added = 0;
        if (counted && lane() == first) added = add_pattern(pattern, __popc(same));
        added = __shfl_sync(FULL, added, first);
        emit(found == NEEDS_HOST || (counted && !added), l, r, owner | UNSCORED, 0);
    }

    // Adds pairs to a pattern; false where all places that it may have are taken. Blocks count in different copies of the
    // table, so that they seldom meet at one place.
    DEVICE bool add_pattern(u64 pattern, u32 pairs) const {
        const ScoreTables& tables = *run.score;
        u64* table = run.patterns + 2 * tables.places * (blockIdx.x % tables.copies);
        u64 place = tables.shift ? pattern * 0x9e3779b97f4a7c15ull >> tables.shift : pattern;
        ROLLED
        for (u32 i = 0; i < PATTERN_PLACES; i++) {
            u64* at = table + 2 * place;
            u64 key = at[0];
            if (key == 0) key = atomicCAS(at, u64(0), pattern + 1);
            if (key == 0 || key == pattern + 1) {
                atomicAdd(at + 1, static_cast<u64>(pairs));
                return true;
            }
            place = (place + 1) & (tables.places - 1);
        }
        return false;
    }

    // The first conjunction of a rule that holds, or nothing; only those before `end` are evaluated.
    DEVICE u32 first_of(const Rule& rule, u32 end, u32 l, u32 r, Known& known, bool& host) const {
        const Conjunction* all = program.conjunctions;
        ROLLED
        for (u32 i = rule.begin; i < end; i++) {
            u32 held = holds(all[i], l, r, known);
            if (held == TRUTH_TRUE) return i;
            if (held == NEEDS_HOST) {
                host = true;
                return NULL_CODE;
            }
        }
        return NULL_CODE;
    }

    // Evaluates all that ownership and counts depend on; false where the host is needed. `owner` is the rule of the first
    // conjunction that holds, if this branch decides it.
    DEVICE bool find_owner(u32 l, u32 r, Known& known, u32& owner) const {
        const Rule* rules = program.rules;
        bool host = false, owned = false;
        ROLLED
        for (u32 rule = 0; rule < program.rule_count && !host; rule++) {
            u32 end = owned ? rules[rule].needed : rules[rule].end;
            u32 first = first_of(rules[rule], end, l, r, known, host);
            if (first == NULL_CODE || owned) continue;
            owned = true;
            if (program.conjunctions[first].mine) owner = rule;
        }
        return !host;
    }

    DEVICE bool is_counted(const Rule& rule, u32 l, u32 r, Known& known) const {
        if (rule.needed == rule.begin) return false;
        bool host = false;
        u32 first = first_of(rule, rule.needed, l, r, known, host);
        return first != NULL_CODE && program.conjunctions[first].mine;
    }

    // The first counters are kept by the lanes and added at the end: all warps add to the same few addresses, and would wait
    // for each other.
    DEVICE void count(u32 which, bool holds) {
        const u32 lanes = __ballot_sync(FULL, holds);
        if (which < WARP) tallied += lane() == which ? __popc(lanes) : 0;
        else if (lanes && lane() == 0) atomicAdd(counter(which), (u64)__popc(lanes));
    }

    // Places for the lanes of a mask after a cursor.
    DEVICE u64 places(u32 lanes, u32 cursor) {
        u64 begin = 0;
        if (lane() == 0) begin = atomicAdd(run.cursors + cursor, (u64)__popc(lanes));
        return __shfl_sync(FULL, begin, 0) + __popc(lanes & lanes_below());
    }

    DEVICE u32 left_record(u32 l) const {
        return run.left_rows ? run.left_rows[l] : l;
    }

    DEVICE u32 right_record(u32 r) const {
        return run.right_rows ? run.right_rows[r] : r;
    }

    // Writes pairs with their owning rules and scores, and joins their components where nothing can remove them any more.
    DEVICE void emit(bool mine, u32 l, u32 r, u32 rule, i64 sum) {
        u32 lanes = __ballot_sync(FULL, mine);
        if (!lanes) return;
        u64 place = places(lanes, 0);
        if (!mine) return;
        l = left_record(l);
        r = right_record(r);
        if (run.parents && !(rule & UNSCORED)) {
            components_join(run.parents, l, run.right_offset + r);
        }
        if (place >= run.capacity || !run.pair_l) return;
        run.pair_l[place] = l;
        run.pair_r[place] = r;
        run.pair_rule[place] = rule;
        if (run.pair_score) run.pair_score[place] = sum;
    }

    // Sends pairs to the host with what is known of them.
    DEVICE void send_to_host(u32 lanes, bool mine, u32 l, u32 r, const Known& known) {
        u64 place = places(lanes, 1);
        if (!mine || place >= run.capacity) return;
        run.open_l[place] = left_record(l);
        run.open_r[place] = right_record(r);
        run.open_true[place] = known.yes;
        run.open_false[place] = known.no;
    }
};

// To compare: the tree is walked by recursion, a call for each check, and expensive checks are done where they are met.
struct VerifyRecursively : Verify {
    using Verify::Verify;

    DEVICE void take(bool valid, u32 l, u32 r) {
        valid = valid && !is_enough();
        candidates += valid;
        Known known = {program.implied_true, program.implied_false};
        bool passed = program.settled != 0;
        ROLLED
        for (u32 top = 0; valid && top < program.step_count; top = program.steps[top].skip) {
            if (visit(top, l, r, known)) passed = true;
        }
        settle(valid && passed, l, r, PASSED | AT_END, known);
        drain_full();
    }

    DEVICE bool takes_rectangles() const { return false; }

  private:
    // Whether a conjunction of the branch may hold below a step.
    DEVICE_CALL bool visit(u32 at, u32 l, u32 r, Known& known) const {
        const Step now = program.steps[at];
        const u32 truth = evaluate_fully(program.checks[now.literal.predicate], l, r, known);
        const bool holds = truth == now.literal.want || truth == NEEDS_HOST;
        if (run.count_steps) count_step(at, holds);
        if (!holds) return false;
        bool passed = now.completes != 0;
        ROLLED
        for (u32 child = at + 1; child < now.skip; child = program.steps[child].skip) {
            if (visit(child, l, r, known)) passed = true;
        }
        return passed;
    }
};
