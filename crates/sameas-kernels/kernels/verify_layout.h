// What the verifier reads: the Rust side is in src/layout/verify.rs.
#pragma once
#include "arithmetic_layout.h"
#include "platform.h"
#include "score_layout.h"
#include "sets_layout.h"
#include "text_layout.h"

// A verdict; also the values of one-sided verdicts, as the host numbers them.
enum Truth : u32 { TRUTH_UNKNOWN = 0, TRUTH_FALSE = 1, TRUTH_TRUE = 2, TRUTH_NULL = 3 };

enum CheckKind : u32 {
    CHECK_EQUAL = 0,       // codes are equal
    CHECK_LEFT = 1,        // a verdict by left row
    CHECK_RIGHT = 2,       // a verdict by right row
    CHECK_TEXT = 3,        // a threshold of a text measure
    CHECK_TABLE = 4,       // verdicts known for all pairs of values
    CHECK_SET = 5,         // a threshold of a set measure
    CHECK_ANY = 6,         // two sets share an element; the rest of SetCheck does not count
    CHECK_DIFFERENCE = 7,  // a threshold of the difference of two numbers
    CHECK_SAME_SOURCE = 8, // both rows are of one input
    CHECK_HOST = 9,        // the host decides
    CHECK_ARITHMETIC = 10, // a condition on numbers of both rows
    CHECK_ELEMENTS = 11,   // a threshold of a mean of best matches
};

// What a value is as a number.
enum NumberKind : u8 { NOT_A_NUMBER = 0, NUMBER_WHOLE = 1, NUMBER_FLOAT = 2 };

// No slot: the verdict is not remembered.
constexpr u32 NO_SLOT = 0xffffffffu;

// A code that stands for null.
constexpr u32 NULL_CODE = 0xffffffffu;

// What a check reads besides the codes of both rows, by its kind; all of one size.
struct EqualCheck {
    u32 null_safe; // whether null equals null
    u32 unused[15];
};

// A verdict (Truth) by left row, or by right row.
struct OneSidedCheck {
    const u8* verdicts;
    u64 unused[7];
};

struct TextCheck {
    const TextTest* test;
    const Texts* texts;
    u32 skip_signatures; // whether signatures are left out: for measurements
    u32 unused[11];
};

// Verdicts known for all pairs of values: a bit each, in rows of `row_words` words.
struct TableCheck {
    const u64* bits;
    u64 row_words;
    const u8* left_nulls;  // by left value: whether the verdict is null whatever the right value is
    const u8* right_nulls; // by right value
    u64 unused[4];
};

// A threshold of a set measure.
struct SetCheck {
    Sets left;
    Sets right;
    const SetSummary* left_summaries;  // by value, or null: for measurements
    const SetSummary* right_summaries;
    double threshold;
    u32 comparison;
    u32 formula; // SetFormula
};

// A threshold of a mean of best matches: sets of elements, ascending in the order of code points, and their texts.
struct ElementsCheck {
    Sets left;
    Sets right;
    const Texts* texts;
    double threshold;
    u32 comparison;
    u32 exchanged; // whether the set of the right row is the first argument
    u32 winkler;   // whether a common prefix raises the similarity of two elements
    u32 unused;
};

// Numbers by value (the bits of an i64 or of a double), and the kind of each (NumberKind).
struct DifferenceCheck {
    const u64* left_numbers;
    const u8* left_kinds;
    const u64* right_numbers;
    const u8* right_kinds;
    double threshold;
    i64 whole_bound; // of a difference of two whole numbers
    u32 comparison;
    u32 whole;       // Whole: how it is compared with the bound
    u64 unused;
};

// No border between two inputs lies between the rows.
struct SameSourceCheck {
    const u32* borders; // first rows of the inputs after the first, ascending
    u32 count;
    u32 unused[13];
};

// Operations in postfix order, which leave one truth.
struct ArithmeticCheck {
    const ArithmeticOp* ops;
    u32 count;
    u32 unused[13];
};

union CheckBody {
    EqualCheck equal;
    OneSidedCheck one_sided;
    TextCheck text;
    TableCheck table;
    SetCheck set;
    ElementsCheck elements;
    DifferenceCheck difference;
    SameSourceCheck same_source;
    ArithmeticCheck arithmetic;
};

// One predicate. The kind says which member of the body counts.
struct Check {
    u32 kind;
    u32 slot;         // where its verdict is remembered
    const u32* left;  // codes by left row, of a check of values
    const u32* right; // codes by right row
    CheckBody body;
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

// Conjunctions from `begin` to `end`; those up to `needed` are evaluated even where the owner is known.
struct Rule {
    u32 begin;
    u32 end;
    u32 needed;
    u32 padding;
};

// A check of the gate (gate.h); a clause ends with the last of its checks.
struct GateCheck {
    u32 predicate;
    u32 ends;
    u32 step; // the first step below which the clause's conjunctions lie
    u32 unused;
};

// What a branch checks of its candidates.
struct Program {
    const Check* checks; // by predicate
    const Step* steps;
    const Literal* literals;
    const Conjunction* conjunctions; // in order of ownership
    const Rule* rules;               // up to the last that has a conjunction of this branch
    const Conjunction* nevers;       // those that decide, then those that are shadowed
    const GateCheck* gate;
    u32 step_count;
    u32 rule_count;
    u32 never_count;
    u32 shadowed_count; // they only say which `never` is the first to forbid a pair
    u32 settled;       // whether the access condition settles a conjunction
    u32 gate_count;    // 0 where the branch has no gate
    u64 implied_true;  // slots that are true of every candidate
    u64 implied_false; // slots that are false of every candidate
};

// In the rule of a pair: the host still has to score it.
constexpr u32 UNSCORED = 0x80000000u;

// What the verifier of a launch reads and writes.
struct VerifyRun {
    const Program* program;
    u64* counters;         // candidates, pairs by rule alone, by owning rule, forbidden ones by `never`; tried and passed by step, if counted
    const u32* left_rows;  // the record of each left row, or null where rows are records
    const u32* right_rows; // the record of each right row
    u32* parents;          // of the components, or null
    u32* pair_l;           // pairs that passed: left record
    u32* pair_r;           // right record
    u32* pair_rule;        // owning rule, perhaps UNSCORED
    i64* pair_score;       // score, where it is not UNSCORED; null where pairs are not scored, or counted by pattern
    u32* open_l;           // pairs that the host decides: left record
    u32* open_r;           // right record
    u64* open_true;        // slots known to be true, or null
    u64* open_false;       // slots known to be false, or null
    u64* cursors;          // pairs, open pairs, counted on past the capacity
    const ScoreTables* score; // how pairs are scored, or null
    u64* patterns;         // the copies of the table in which pairs are counted by pattern
    u64 capacity;          // of pairs, and of open pairs
    u32 all_rules;         // number of rules
    u32 all_nevers;        // number of `never` rules
    u32 right_offset;      // of right records among the components
    u32 no_queue;          // evaluate expensive checks immediately instead of gathering them: for measurements
    u32 count_steps;       // whether steps are counted one by one, which takes time
    u32 most;              // candidates that a lane takes while steps are counted, or 0 for all: the others are passed over
};
