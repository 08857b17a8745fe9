// The gate of a branch: what the top of its tree says of many candidates at a time.
//
// Where many rows meet many, walking the tree candidate by candidate reads the codes and signatures of each row again and
// again. Here a warp reads the facts of up to 32 rows and of its lanes' columns once, and tests each with each from shared
// memory and registers; only those that it admits are walked.
//
// A gate is a list of clauses, each of them checks that lie above every step of a part of the tree and must all be true.
// No loss: a conjunction of the branch lies below the checks of one clause, so a candidate that no clause admits fails the
// tree; and a check is ruled out only where it is false or null, by the same bounds as `evaluate_cheaply`. What facts do
// not decide is admitted.
#pragma once
#include "checks.h"

// Rows that are tested together: a bit of a word each.
constexpr u32 GATE_ROWS = 32;
// Quads of words that the facts of a row take.
constexpr u32 GATE_QUADS = 3;

// Of how many candidates a check must leave one, so that the next check of its clause is worth its time.
constexpr u32 GATE_ENOUGH = 16;

// Facts of a row for a kind of check. `load` is false where no partner can make the check true; `admits` is false where this
// partner cannot.
template <u32 WORDS> struct TextFacts {
    text::Signature<WORDS> signature;

    static DEVICE bool informs(const Check& check) {
        return check.body.text.skip_signatures == 0 && check.body.text.test->bounded != 0;
    }

    DEVICE bool load(const Check& check, bool, u32 code) {
        const Texts& texts = *check.body.text.texts;
        if (code == NULL_CODE || texts.heads[code].length == 0) return false;
        if constexpr (WORDS == 2) signature = text::signature_of(static_cast<const TextShort*>(texts.signatures), code);
        else signature = text::signature_of(static_cast<const TextLong*>(texts.signatures), code);
        return true;
    }

    DEVICE void put(uint4* to) const {
        const auto& [bits, prefix, length, overflow] = signature;
        if constexpr (WORDS == 2) {
            to[0] = make_uint4(bits[0], bits[1], prefix, length | overflow << 16);
        } else {
            to[0] = make_uint4(bits[0], bits[1], bits[2], bits[3]);
            to[1] = make_uint4(bits[4], bits[5], bits[6], bits[7]);
            to[2] = make_uint4(prefix, length, overflow, 0);
        }
    }

    static DEVICE TextFacts get(const uint4* from) {
        if constexpr (WORDS == 2) {
            const uint4 a = from[0];
            return {{{a.x, a.y}, a.z, a.w & 0xffff, a.w >> 16}};
        } else {
            const uint4 a = from[0], b = from[1], c = from[2];
            return {{{a.x, a.y, a.z, a.w, b.x, b.y, b.z, b.w}, c.x, c.y, c.z}};
        }
    }

    // What the test needs, read once.
    struct Bound {
        const TextTest& test;
        const u8* table;
        DEVICE explicit Bound(const Check& check, bool) : test(*check.body.text.test), table(test.least) {}
        DEVICE bool admits(const TextFacts& row, const TextFacts& lane) const {
            return text::signatures_admit(test, table, row.signature, lane.signature);
        }
    };
};

struct SetFacts {
    SetSummary summary;

    static DEVICE bool informs(const Check& check) {
        const SetCheck& set = check.body.set;
        const bool upward = set.comparison != COMPARE_LESS && set.comparison != COMPARE_LESS_EQUAL;
        return set.left_summaries != nullptr && (check.kind == CHECK_ANY || upward);
    }

    DEVICE bool load(const Check& check, bool is_right, u32 code) {
        if (code == NULL_CODE) return false;
        summary = (is_right ? check.body.set.right_summaries : check.body.set.left_summaries)[code];
        return summary.size != 0;
    }

    DEVICE void put(uint4* to) const {
        to[0] = make_uint4(static_cast<u32>(summary.low), static_cast<u32>(summary.low >> 32), summary.high, summary.size);
    }

    static DEVICE SetFacts get(const uint4* from) {
        const uint4 a = from[0];
        return {{static_cast<u64>(a.y) << 32 | a.x, a.z, a.w}};
    }

    // Two sets share an element where they share one at least.
    struct Bound {
        SharedBound shared;

        DEVICE explicit Bound(const Check& check, bool)
            : shared(check.kind == CHECK_ANY ? SharedBound(SET_OVERLAP, 1.0)
                                             : SharedBound(check.body.set.formula, check.body.set.threshold)) {}

        DEVICE bool admits(const SetFacts& row, const SetFacts& lane) const {
            return shared.admits(most_common(row.summary, lane.summary), row.summary.size, lane.summary.size);
        }
    };
};

// Codes say it all: of values that are equal, and of verdicts known for all pairs of values.
struct CodeFacts {
    u32 code;

    static DEVICE bool informs(const Check&) { return true; }

    DEVICE bool load(const Check& check, bool is_right, u32 own) {
        code = own;
        if (check.kind == CHECK_EQUAL) return own != NULL_CODE || check.body.equal.null_safe;
        const TableCheck& table = check.body.table;
        return own != NULL_CODE && !(is_right ? table.right_nulls : table.left_nulls)[own];
    }

    DEVICE void put(uint4* to) const { to->x = code; }

    static DEVICE CodeFacts get(const uint4* from) { return {from->x}; }

    struct Bound {
        const u64* bits;
        u64 row_words;
        bool swapped;

        DEVICE explicit Bound(const Check& check, bool swapped) : bits(nullptr), row_words(0), swapped(swapped) {
            if (check.kind == CHECK_EQUAL) return;
            bits = check.body.table.bits;
            row_words = check.body.table.row_words;
        }

        DEVICE bool admits(const CodeFacts& row, const CodeFacts& lane) const {
            if (bits == nullptr) return row.code == lane.code;
            const u32 a = swapped ? lane.code : row.code, b = swapped ? row.code : lane.code;
            return (bits[a * row_words + b / 64] >> (b % 64) & 1) != 0;
        }
    };
};

// The bits that any lane of a warp has.
DEVICE u32 warp_or(u32 bits) {
    for (i32 step = 16; step > 0; step /= 2) bits |= __shfl_xor_sync(FULL, bits, step);
    return bits;
}

// Which of two rows that meet is the left one.
enum class GateSides { RowsLeft, RowsRight, SmallerLeft };

// Rows that meet columns: up to 32 rows in shared memory, and each lane's K columns.
template <int K> struct GateBlock {
    const u32* rows;
    u32 count;
    const u32 (&lanes)[K];
    GateSides sides;
    uint4* staged; // room for the facts of the rows

    // Takes out of `open`, for each column a bit for each row, what a check rules out.
    template <class Facts> DEVICE void test(const Check& check, u32 (&open)[K]) const {
        if (!Facts::informs(check)) return;
        // Facts must not depend on the side where pairs are turned one by one.
        if (sides == GateSides::SmallerLeft && (check.left != check.right || check.kind == CHECK_TABLE)) return;
        const bool swapped = sides == GateSides::RowsRight;
        const u32* row_codes = swapped ? check.right : check.left;
        const u32* lane_codes = swapped ? check.left : check.right;
        Facts own, mine[K];
        const bool has_own = lane() < count && own.load(check, swapped, row_codes[rows[lane()]]);
        __syncwarp(FULL);
        if (has_own) own.put(staged + lane() * GATE_QUADS);
        __syncwarp(FULL);
        const u32 can = __ballot_sync(FULL, has_own);
        u32 any = 0;
        UNROLL
        for (int j = 0; j < K; ++j) {
            const bool has = open[j] != 0 && mine[j].load(check, !swapped, lane_codes[lanes[j]]);
            open[j] = has ? open[j] & can : 0;
            if (!has) mine[j] = Facts{};
            any |= open[j];
        }
        const typename Facts::Bound bound(check, swapped);
        for (u32 left = warp_or(any); left != 0; left &= left - 1) {
            const u32 row = __ffs(left) - 1;
            const Facts facts = Facts::get(staged + row * GATE_QUADS);
            UNROLL
            for (int j = 0; j < K; ++j) {
                if ((open[j] >> row & 1) != 0 && !bound.admits(facts, mine[j])) open[j] ^= 1u << row;
            }
        }
        __syncwarp(FULL);
    }

    DEVICE void test_by_kind(const Check& check, u32 (&open)[K]) const {
        switch (check.kind) {
            case CHECK_TEXT:
                if (check.body.text.texts->is_long) test<TextFacts<8>>(check, open);
                else test<TextFacts<2>>(check, open);
                break;
            case CHECK_SET:
            case CHECK_ANY: test<SetFacts>(check, open); break;
            case CHECK_EQUAL:
            case CHECK_TABLE: test<CodeFacts>(check, open); break;
            default: break;
        }
    }

    // Finds what the clause from a check of the gate on admits of `open`; the check after it.
    DEVICE u32 pass(const Program& program, u32 at, const u32 (&open)[K], u32 (&admitted)[K]) const {
        UNROLL
        for (int j = 0; j < K; ++j) admitted[j] = open[j];
        for (bool is_small = false;; ++at) {
            const GateCheck now = program.gate[at];
            if (!is_small) test_by_kind(program.checks[now.predicate], admitted);
            if (now.ends) return at + 1;
            is_small = is_small || warp_count(admitted) * GATE_ENOUGH < GATE_ROWS * 32 * K;
        }
    }

    static DEVICE u32 warp_count(const u32 (&bits)[K]) {
        u32 count = 0;
        UNROLL
        for (int j = 0; j < K; ++j) count += __popc(bits[j]);
        return static_cast<u32>(warp_sum(count));
    }
};
