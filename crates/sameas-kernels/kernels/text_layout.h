// Texts of a domain on the device, and a test of two of them; the Rust side is in src/layout/text.rs.
#pragma once

#include "platform.h"

// Lengths up to this have the numbers of edits with which a test holds in a table, and texts of up to as many characters
// are compared with words that a thread has itself; longer ones take a slot (text_scratch.h).
constexpr u32 TEXT_LIMIT = 1024;
// Lengths up to this have the least number of common characters in a table.
constexpr u32 TEXT_LEAST = 128;
// Lengths up to this have the decisions on Jaro similarities in a table.
constexpr u32 TEXT_DECIDED = 32;
// The characters of a Winkler prefix, and how many prefixes there are.
constexpr u32 TEXT_PREFIX = 4;
constexpr u32 TEXT_PREFIXES = TEXT_PREFIX + 1;
// The code of a missing value.
constexpr u32 TEXT_NULL = 0xffffffffu;
// In the table of the least: no pair of these lengths holds.
constexpr u32 TEXT_NEVER = 0xff;

// 64 bits of unary counts (see the signatures of the engine), the low bytes of the first four codes, length, overflow.
struct TextShort {
    u32 bits[2];
    u32 prefix;
    u16 length;
    u16 overflow;
};

// The same with 256 bits.
struct TextLong {
    u32 bits[8];
    u32 prefix;
    u32 length;
    u32 overflow;
    u32 padding[5];
};

// Where a text lies: its first group of bit planes, in units of four words, and its characters.
struct TextHead {
    u32 offset;
    u32 length;
};

// Makes the planes of texts: code c has the units before ends[c] and not before ends[c - 1], of 1, 2 or 4 bytes.
struct TextPlanes {
    const void* units;
    const u64* ends;
    // By code: where a text begins; null where it is where the one before it ends.
    const u64* begins;
    const TextHead* heads;
    u32* words;
    u32 count;
    u32 stride;
};

// The texts of a domain, by code. A group is 32 characters: word j of its `stride` words holds bit j of each.
struct Texts {
    const u32* words;
    const TextHead* heads;
    // TextShort or TextLong.
    const void* signatures;
    // The bits of a character code.
    u32 planes;
    u32 stride;
    u32 is_long;
    u32 count;
};

// A measure against a threshold, as integers; the host fills them by evaluating the reference.
struct TextTest {
    // For texts of up to TEXT_LIMIT characters, by the key of their lengths (text_measures.h): the fewest edits with which the
    // test holds, and the most in the upper half; more than the most where it never holds.
    const u32* edits;
    // By both lengths less one, then by prefix: the least common characters, as wide as TEXT_LEAST.
    const u8* least;
    // Jaro: by the lengths x <= y (their place is y (y - 1) / 2 + x - 1), the matches up to TEXT_DECIDED and the prefix:
    // bit t says whether the test holds with t transpositions.
    const u32* decisions;
    double threshold;
    // TextCount: what is counted.
    u32 measure;
    u32 comparison;
    // The verdict on a text and itself.
    u32 same;
    // Whether the test is a bound, so that `least` is there and signatures can rule pairs out.
    u32 bounded;
    // TextFormula: what is made of a number of edits.
    u32 formula;
    // Slots of `slot_words` words each, in `scratch`, and which of them are taken.
    u32 slots;
    u64* scratch;
    u32* taken;
    u32 slot_words;
    // Whether a common prefix raises a Jaro similarity.
    u32 winkler;
};

// The verdict on two texts, numbered as the verifier numbers them; in the last two cases the measure has to decide, or the
// host.
enum TextVerdict : u32 { TEXT_FALSE = 1, TEXT_TRUE = 2, TEXT_IS_NULL = 3, TEXT_NEEDS_MEASURE = 4, TEXT_NEEDS_HOST = 5 };

// Where the pairs of a join go: codes into arrays of some capacity, counted by a cursor that goes on past the end. Where
// `bits` is not null, verdicts become bits of a table instead, a row of `row_words` for each left code.
struct TextOut {
    u32* left;
    u32* right;
    u64 capacity;
    u64* cursor;
    // Pairs that the host has to decide.
    u32* open_left;
    u32* open_right;
    u64 open_capacity;
    u64* open_cursor;
    u64* bits;
    u64 row_words;
};

// One list of a join by place: sorted by length, then by signature. A run is the places of one length; in the records
// its number stands where a signature has the length.
struct TextSide {
    const void* records;
    const u32* codes;
    u32 count;
    u32 runs;
};

// The least common characters of texts of two runs, by prefix.
struct TextNeeds {
    u16 common[8];
};
// No pair of two runs holds.
constexpr u32 TEXT_NO_NEED = 0xffff;

// How a join goes about it; the pairs found are the same.
enum TextJoinFlags : u32 {
    TEXT_JOIN_TRIANGLE = 1,   // a list with itself: right places before the left one are left out
    TEXT_JOIN_NO_QUEUE = 2,   // what signatures leave is verified immediately
    TEXT_JOIN_NO_UNIONS = 4,  // no test of 32 left texts together
};

// The right places of a unit are a chunk: 32 lanes times this many texts per lane.
constexpr u32 TEXT_SHORT_LANE = 4;
constexpr u32 TEXT_LONG_LANE = 2;

// A join of texts. Chunk c of the right list meets the left places lefts[c], cut into units of `piece` of them; its first
// unit is starts[c].
struct TextJoin {
    Texts texts;
    TextTest test;
    TextSide left;
    TextSide right;
    // By left run, then by right run.
    const TextNeeds* needs;
    const u64* starts;
    const uint2* lefts;
    u32 chunks;
    u32 piece;
    // The units of this launch, and the counter from which warps take them, zero at the start.
    u64 first;
    u32 units;
    u32 flags;
    u32* next;
    // Pairs whose signatures were tested, pairs verified, pairs found.
    u64* counters;
    // Without signatures: how many of the first places of each list are of texts for the dense way, at most 32 characters
    // each; none where the dense way is not for the test or the alphabet.
    u32 dense_left;
    u32 dense_right;
    TextOut out;
};

// Verdicts on pairs of codes: bit i of each is that of pair i.
struct TextPairs {
    Texts texts;
    TextTest test;
    const u32* left;
    const u32* right;
    u64 pairs;
    u32* holds;
    u32* nulls;
    u32* for_host;
};
