// What the verifier reads: twins of src/layout/verify.rs.
#pragma once
#include "platform.h"

// A verdict; also the values of one-sided verdicts, as the host numbers them.
enum Truth : u32 { TRUTH_UNKNOWN = 0, TRUTH_FALSE = 1, TRUTH_TRUE = 2, TRUTH_NULL = 3 };

enum CheckKind : u32 {
    CHECK_EQUAL = 0,       // codes are equal
    CHECK_LEFT = 1,        // a verdict by left row
    CHECK_RIGHT = 2,       // a verdict by right row
    CHECK_TEXT = 3,        // a threshold of a text measure
    CHECK_TABLE = 4,       // verdicts known for all pairs of values
    CHECK_SET = 5,         // a threshold of a set measure
    CHECK_ANY = 6,         // two sets share an element
    CHECK_DIFFERENCE = 7,  // a threshold of the difference of two numbers
    CHECK_SAME_SOURCE = 8, // both rows on one side of a border
    CHECK_HOST = 9,        // the host decides
};

enum SetMeasure : u32 { SET_JACCARD, SET_DICE, SET_COSINE, SET_OVERLAP_COEFFICIENT, SET_COMMON };

// No slot: the verdict is not remembered.
constexpr u32 NO_SLOT = 0xffffffffu;

// A code that stands for null.
constexpr u32 NULL_CODE = 0xffffffffu;

// One predicate. Which fields count depends on the kind.
struct Check {
    u32 kind;
    u32 slot;       // where its verdict is remembered
    u32 comparison;
    u32 variant;    // null_safe, SetMeasure, border, whether signatures are left out
    u64 left;       // codes by left row; verdicts by row (u8)
    u64 right;      // codes by right row
    u64 a;          // TextTest; bits of a table; ends of the left sets; numbers of the left codes
    u64 b;          // Texts; ids of the left sets; kinds of the left numbers
    u64 c;          // nulls of a table's left values; ends of the right sets; numbers of the right codes
    u64 d;          // nulls of a table's right values; ids of the right sets; kinds of the right numbers
    i64 whole;       // bound of a whole difference; words of a table's row
    double threshold;    // of a measure that is a float
};

// A whole difference is compared as an integer: at most, at least or equal to `whole`, or always or never so.
enum Whole : u32 { WHOLE_NEVER, WHOLE_ALWAYS, WHOLE_AT_MOST, WHOLE_AT_LEAST, WHOLE_EQUAL };

// A literal: a predicate and the verdict it must have.
struct Literal {
    u32 predicate;
    u32 want;
};

// A step of the flattened tree.
struct Step {
    Literal literal;
    u32 skip;      // where to go on if it fails
    u32 completes; // whether a conjunction of the branch holds where it passes
};

// Literals from `begin` to `end` of the list of literals.
struct Conjunction {
    u32 begin;
    u32 end;
    u32 rule;
    u32 mine; // whether this branch decides it
};

// Conjunctions from `begin` to `end`; those up to `needed` are asked even where the owner is known.
struct Rule {
    u32 begin;
    u32 end;
    u32 needed;
    u32 padding;
};

// What a branch asks of its candidates.
struct Program {
    u64 checks;       // Check by predicate
    u64 steps;        // Step
    u64 literals;     // Literal
    u64 conjunctions; // Conjunction, in order of ownership
    u64 rules;        // Rule, up to the last that has a conjunction of this branch
    u64 nevers;       // Conjunction
    u32 step_count;
    u32 rule_count;
    u32 never_count;
    u32 settled; // whether the access condition settles a conjunction
    u64 implied_true;  // slots that are true of every candidate
    u64 implied_false; // slots that are false of every candidate
};

// What the verifier of a launch reads and writes.
struct VerifyRun {
    u64 program;    // Program
    u64 counters;   // u64: candidates, pairs by rule alone, pairs by owning rule; tried and passed by step, if counted
    u64 left_rows;  // the record of each left row, or 0 where rows are records
    u64 right_rows; // the record of each right row
    u64 parents;    // of the components, or 0
    u64 pair_l;     // pairs that passed: left record
    u64 pair_r;     // right record
    u64 pair_rule;  // owning rule
    u64 open_l;     // pairs that the host decides: left record
    u64 open_r;     // right record
    u64 open_true;  // slots known to be true, or null
    u64 open_false; // slots known to be false, or null
    u64 cursors;    // u64: pairs, open pairs, counted on past the capacity
    u64 capacity;   // of pairs, and of open pairs
    u32 all_rules;  // number of rules
    u32 right_offset; // of right records among the components
    u32 at_once;    // evaluate dear checks at once instead of gathering them: for measurements
    u32 count_steps; // whether steps are counted one by one, which takes time
};

static_assert(sizeof(Check) == 80 && sizeof(Program) == 80 && sizeof(VerifyRun) == 128, "twins of src/layout/verify.rs");
