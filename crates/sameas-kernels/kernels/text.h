// What two texts are to each other: whether signatures allow a test to hold, and whether it does.
//
// `text_admits` may say yes too often and never no wrongly. No loss:
// 1. What two texts need in common, by their lengths and prefix, is derived in
//    sameas-joins/src/threshold/text_predicate.rs; the host fills the table of lengths up to TEXT_LEAST from
//    there, and longer ones are bounded by the same formulas here.
// 2. Signatures bound from above what they have in common: the population count of their intersection and the smaller
//    overflow (sameas-records/src/records/encode/signature.rs), and the prefix by the bytes that agree.
// 3. Missing, empty and equal texts are admitted, as are tests that are no bound: `text_holds` decides them.
#pragma once

#include "text_measures.h"

namespace text {

// What a signature tells of its text, in one form for both widths.
template <u32 WORDS> struct Signature {
    u32 bits[WORDS];
    u32 prefix, length, overflow;
};

DEVICE Signature<2> signature_of(const TextShort* records, u64 at) {
    uint4 record = *reinterpret_cast<const uint4*>(records + at);
    return {{record.x, record.y}, record.z, record.w & 0xffff, record.w >> 16};
}

DEVICE Signature<8> signature_of(const TextLong* records, u64 at) {
    const uint4* record = reinterpret_cast<const uint4*>(records + at);
    uint4 first = record[0], second = record[1], third = record[2];
    return {{first.x, first.y, first.z, first.w, second.x, second.y, second.z, second.w}, third.x, third.y, third.z};
}

// At least the size of the multiset intersection.
template <u32 WORDS> DEVICE u32 most_common(const Signature<WORDS>& a, const Signature<WORDS>& b) {
    u32 common = min(a.overflow, b.overflow);
    UNROLL
    for (u32 w = 0; w < WORDS; ++w) common += count_bits(a.bits[w] & b.bits[w]);
    return common;
}

// The leading bytes, of four, that are equal.
DEVICE u32 equal_bytes(u32 a, u32 b) {
    const u32 differing = a ^ b;
    return differing == 0 ? 4 : lowest_bit(differing) / 8;
}

// The same decision for texts beyond the table of the least.
static DEVICE_CALL bool long_texts_admit(const TextTest& test, u32 x, u32 y, u32 common, u32 prefix) {
    const u32 longer = max(x, y);
    if (test.measure == TEXT_HOST) return true;
    if (is_jaro(test)) return jaro_can_hold(test, x, y, common, prefix);
    if (longer > TEXT_LIMIT) return true;
    const EditRange range = edit_range(test, x, y);
    return range.fewest <= range.most && common + range.most >= longer;
}

// Whether signatures allow a test to hold; `table` is its table of the least.
template <u32 WORDS>
DEVICE bool signatures_admit(const TextTest& test, const u8* table, const Signature<WORDS>& a, const Signature<WORDS>& b) {
    const u32 x = a.length, y = b.length;
    if (x == 0 || y == 0) return true;
    const u32 common = most_common(a, b), prefix = min(equal_bytes(a.prefix, b.prefix), min(x, y));
    if (max(x, y) <= TEXT_LEAST) {
        const u32 least = table[((x - 1) * TEXT_LEAST + y - 1) * TEXT_PREFIXES + prefix];
        return least != TEXT_NEVER && common >= least;
    }
    return long_texts_admit(test, x, y, common, prefix);
}

// Whether the distance of two texts, the pattern no shorter, lies from `fewest` to `most`; words that hold the pattern.
template <class Word, u32 P>
static DEVICE_CALL bool edits_hold(const TextTest& test, const Texts& texts, Text pattern, Text text, u32 fewest, u32 most) {
    // Beyond this many edits the verdict is known: false above the most, true if there is no most.
    const bool upward = most >= pattern.length;
    const u32 limit = upward ? fewest - 1 : most;
    if constexpr (sizeof(Word) <= 8) {
        const bool one_sided = upward || fewest == 0;
        const bool fits = pattern.length + limit < sizeof(Word) * 8;
        if (test.measure == TEXT_LEVENSHTEIN && one_sided && fits && limit - 1 < DIAGONALS) {
            if (pattern.length - text.length > limit) return upward;
            if (limit == 1) return within_diagonals<Word, P, 1>(texts, text, pattern) != upward;
            if (limit == 2) return within_diagonals<Word, P, 2>(texts, text, pattern) != upward;
            return within_diagonals<Word, P, 3>(texts, text, pattern) != upward;
        }
    }
    const u32 distance = count_edits<Word, P>(test, texts, pattern, text, limit);
    return distance >= fewest && distance <= most;
}

static DEVICE_CALL bool long_edits_hold(const TextTest& test, const Texts& texts, Text pattern, Text text, u32 fewest, u32 most) {
    const u32 limit = most >= pattern.length ? fewest - 1 : most;
    OwnWords<TEXT_LIMIT / 64 * EDIT_WORDS> columns;
    const u32 distance = count_long_edits(test, texts, pattern, text, limit, columns);
    return distance >= fewest && distance <= most;
}

template <class Word, u32 P>
static DEVICE_CALL bool jaro_holds(const TextTest& test, const Texts& texts, Text pattern, Text text) {
    const u32 prefix = common_prefix(texts, pattern, text);
    const u32 least = jaro_least(test, text.length, pattern.length, prefix);
    const JaroCounts counts = jaro_of<Word, P>(texts, pattern, text, least);
    return counts.enough && jaro_decides(test, text.length, pattern.length, counts, prefix);
}

template <class Words>
DEVICE bool long_jaro_holds_in(const TextTest& test, const Texts& texts, Text pattern, Text text, Words& words) {
    const u32 prefix = common_prefix(texts, pattern, text);
    const u32 least = jaro_least(test, text.length, pattern.length, prefix);
    const JaroCounts counts = jaro_of_long(texts, pattern, text, least, words);
    return counts.enough && jaro_decides(test, text.length, pattern.length, counts, prefix);
}

static DEVICE_CALL bool long_jaro_holds(const TextTest& test, const Texts& texts, Text pattern, Text text) {
    OwnWords<TEXT_LIMIT / 64 * JARO_WORDS> words;
    return long_jaro_holds_in(test, texts, pattern, text, words);
}

DEVICE TextVerdict verdict_of(bool holds) { return holds ? TEXT_TRUE : TEXT_FALSE; }

// The verdict on texts of which one has more than TEXT_LIMIT characters, with the words of a slot.
static DEVICE_CALL TextVerdict very_long_holds(const TextTest& test, const Texts& texts, Text pattern, Text text) {
    const bool of_jaro = is_jaro(test);
    EditRange range = {0, 0};
    if (!of_jaro) {
        range = edit_range(test, pattern.length, text.length);
        if (range.fewest > range.most) return TEXT_FALSE;
        if (range.fewest == 0 && range.most >= pattern.length) return TEXT_TRUE;
    }
    SlotWords words(test, (pattern.length + 63) / 64 * words_for_rows(test));
    if (!words.is_taken) return TEXT_NEEDS_HOST;
    bool holds;
    if (of_jaro) {
        holds = long_jaro_holds_in(test, texts, pattern, text, words);
    } else {
        const u32 limit = range.most >= pattern.length ? range.fewest - 1 : range.most;
        const u32 distance = count_long_edits(test, texts, pattern, text, limit, words);
        holds = distance >= range.fewest && distance <= range.most;
    }
    words.give_back();
    return verdict_of(holds);
}

// The distance with swaps, under a limit, where the distance without them says too little; false where there is no slot for it.
static DEVICE_CALL bool damerau_distance(const TextTest& test, const Texts& texts, Text pattern, Text text, u32 limit, u32& distance) {
    if (text.length < DAMERAU_OWN) {
        OwnWords<DAMERAU_OWN> columns;
        distance = damerau_of(texts, pattern, text, limit, columns);
        return true;
    }
    SlotWords columns(test, text.length + 1);
    if (!columns.is_taken) return false;
    distance = damerau_of(texts, pattern, text, limit, columns);
    columns.give_back();
    return true;
}

// A swap with g edits between costs g + 1, and at most g + 2 without swaps: the distance without them is at most twice the
// other, and one of 0 or 1 is the same. See sameas-measures/src/text/damerau.rs.
static DEVICE_CALL TextVerdict damerau_holds(const TextTest& test, const Texts& texts, Text pattern, Text text) {
    if (pattern.length > DAMERAU_LIMIT) return TEXT_NEEDS_HOST;
    const EditRange range = edit_range(test, pattern.length, text.length);
    if (range.fewest > range.most) return TEXT_FALSE;
    if (range.fewest == 0 && range.most >= pattern.length) return TEXT_TRUE;
    const u32 limit = range.most >= pattern.length ? range.fewest - 1 : range.most;
    u32 distance = limit + 1;
    if (pattern.length <= TEXT_LIMIT) {
        OwnWords<TEXT_LIMIT / 64 * EDIT_WORDS> columns;
        const u32 without_swaps = edits_of_long<false>(texts, pattern, text, 2 * limit, columns);
        if (without_swaps > 2 * limit) return verdict_of(distance >= range.fewest && distance <= range.most);
        if (without_swaps <= 1) return verdict_of(without_swaps >= range.fewest && without_swaps <= range.most);
    }
    if (!damerau_distance(test, texts, pattern, text, limit, distance)) return TEXT_NEEDS_HOST;
    return verdict_of(distance >= range.fewest && distance <= range.most);
}

// Texts of different lengths have no such distance.
static DEVICE_CALL TextVerdict hamming_holds(const TextTest& test, const Texts& texts, Text a, Text b) {
    if (a.length != b.length) return TEXT_IS_NULL;
    const EditRange range = edit_range(test, a.length, b.length);
    const u32 distance = differing_places(texts, a, b);
    return verdict_of(distance >= range.fewest && distance <= range.most);
}

// The decision by the words that the longer text takes, with P planes in registers; P = 0 is any number of either.
template <u32 P> DEVICE bool measure_holds(const TextTest& test, const Texts& texts, Text pattern, Text text) {
    const u32 length = pattern.length;
    if (is_jaro(test)) {
        if constexpr (P != 0) {
            if (length <= 32) return jaro_holds<u32, P>(test, texts, pattern, text);
            if (length <= 64) return jaro_holds<u64, P>(test, texts, pattern, text);
            if (length <= 128) return jaro_holds<u128, P>(test, texts, pattern, text);
        }
        return long_jaro_holds(test, texts, pattern, text);
    }
    const auto [fewest, most] = edit_range(test, length, text.length);
    if (fewest > most) return false;
    if (fewest == 0 && most >= length) return true;
    if constexpr (P != 0) {
        if (length <= 32) return edits_hold<u32, P>(test, texts, pattern, text, fewest, most);
        if (length <= 64) return edits_hold<u64, P>(test, texts, pattern, text, fewest, most);
        if (length <= 128) return edits_hold<u128, P>(test, texts, pattern, text, fewest, most);
    }
    return long_edits_hold(test, texts, pattern, text, fewest, most);
}

}  // namespace text

// False only where the test does not hold for the texts of two codes.
DEVICE bool text_admits(const TextTest& test, const Texts& texts, u32 a, u32 b) {
    if (!test.bounded || a == b || a == TEXT_NULL || b == TEXT_NULL) return true;
    if (texts.is_long) {
        const TextLong* records = static_cast<const TextLong*>(texts.signatures);
        return text::signatures_admit(test, test.least, text::signature_of(records, a), text::signature_of(records, b));
    }
    const TextShort* records = static_cast<const TextShort*>(texts.signatures);
    return text::signatures_admit(test, test.least, text::signature_of(records, a), text::signature_of(records, b));
}

// The verdict on the texts of two codes, by the measure itself.
DEVICE TextVerdict text_holds(const TextTest& test, const Texts& texts, u32 a, u32 b) {
    if (a == TEXT_NULL || b == TEXT_NULL) return TEXT_IS_NULL;
    const text::Text x = text::text_at(texts, a), y = text::text_at(texts, b);
    if (x.length == 0 || y.length == 0) return TEXT_IS_NULL;
    if (a == b) return test.same ? TEXT_TRUE : TEXT_FALSE;
    const bool longer = x.length > y.length;
    const text::Text pattern = longer ? x : y, other = longer ? y : x;
    if (test.measure == TEXT_HOST) return TEXT_NEEDS_HOST;
    if (test.measure == TEXT_HAMMING) return text::hamming_holds(test, texts, pattern, other);
    if (test.measure == TEXT_DAMERAU) return text::damerau_holds(test, texts, pattern, other);
    if (pattern.length > TEXT_LIMIT) return text::very_long_holds(test, texts, pattern, other);
    bool holds;
    if (texts.planes <= 5) holds = text::measure_holds<5>(test, texts, pattern, other);
    else if (texts.planes <= 8) holds = text::measure_holds<8>(test, texts, pattern, other);
    else holds = text::measure_holds<0>(test, texts, pattern, other);
    return holds ? TEXT_TRUE : TEXT_FALSE;
}

// The verdict on two codes that are not null as far as signatures tell; TEXT_NEEDS_MEASURE where the measure must.
DEVICE u32 text_evaluate_cheaply(const TextTest& test, const Texts& texts, u32 a, u32 b) {
    if (texts.heads[a].length == 0 || texts.heads[b].length == 0) return TEXT_IS_NULL;
    if (a == b) return test.same ? TEXT_TRUE : TEXT_FALSE;
    if (test.measure == TEXT_HAMMING && texts.heads[a].length != texts.heads[b].length) return TEXT_IS_NULL;
    return text_admits(test, texts, a, b) ? TEXT_NEEDS_MEASURE : TEXT_FALSE;
}

// What `text_evaluate_cheaply` left open.
DEVICE u32 text_evaluate_expensive(const TextTest& test, const Texts& texts, u32 a, u32 b) {
    return text_holds(test, texts, a, b);
}
