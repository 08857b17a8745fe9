// What two texts are to each other: whether signatures allow a test to hold, and whether it does.
//
// `text_admits` may say yes too often and never no wrongly. No loss:
// 1. What two texts need in common, by their lengths and prefix, is derived in candidates/text_join/predicate.rs; the
//    host fills the table of lengths up to TEXT_LEAST from there, and longer ones are bounded by the same formulas here.
// 2. Signatures bound from above what they have in common: the population count of their intersection and the smaller
//    overflow (records/encode/signature.rs), and the prefix by the bytes that agree.
// 3. Missing, empty and equal texts are admitted, as are tests that are no bound: `text_holds` decides them.
#pragma once

#include "text_edits.h"
#include "text_jaro.h"

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

template <u32 WORDS>
DEVICE bool signatures_admit(const TextTest& test, const Signature<WORDS>& a, const Signature<WORDS>& b) {
    const u32 x = a.length, y = b.length, longer = max(x, y);
    if (x == 0 || y == 0) return true;
    const u32 common = most_common(a, b), prefix = min(equal_bytes(a.prefix, b.prefix), min(x, y));
    if (longer <= TEXT_LEAST) {
        const u32 least = test.least[((x - 1) * TEXT_LEAST + y - 1) * TEXT_PREFIXES + prefix];
        return least != TEXT_NEVER && common >= least;
    }
    if (test.measure == TEXT_JARO || test.measure == TEXT_JARO_WINKLER) {
        return jaro_can_hold(test, x, y, common, prefix);
    }
    if (longer > TEXT_LIMIT) return true;
    const u32 bound = test.edits[longer], most = bound >> 16;
    return (bound & 0xffff) <= most && common + most >= longer;
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
    const u32 distance = test.measure == TEXT_OSA ? edits_of<Word, P, true>(texts, pattern, text, limit)
                                                  : edits_of<Word, P, false>(texts, pattern, text, limit);
    return distance >= fewest && distance <= most;
}

static DEVICE_CALL bool long_edits_hold(const TextTest& test, const Texts& texts, Text pattern, Text text, u32 fewest, u32 most) {
    const u32 limit = most >= pattern.length ? fewest - 1 : most;
    const u32 distance = test.measure == TEXT_OSA ? edits_of_long<true>(texts, pattern, text, limit)
                                                  : edits_of_long<false>(texts, pattern, text, limit);
    return distance >= fewest && distance <= most;
}

template <class Word, u32 P>
static DEVICE_CALL bool jaro_holds(const TextTest& test, const Texts& texts, Text pattern, Text text) {
    const u32 prefix = common_prefix(texts, pattern, text);
    const u32 least = jaro_least(test, text.length, pattern.length, prefix);
    const JaroCounts counts = jaro_of<Word, P>(texts, pattern, text, least);
    return counts.enough && jaro_decides(test, text.length, pattern.length, counts, prefix);
}

static DEVICE_CALL bool long_jaro_holds(const TextTest& test, const Texts& texts, Text pattern, Text text) {
    const u32 prefix = common_prefix(texts, pattern, text);
    const u32 least = jaro_least(test, text.length, pattern.length, prefix);
    const JaroCounts counts = jaro_of_long(texts, pattern, text, least);
    return counts.enough && jaro_decides(test, text.length, pattern.length, counts, prefix);
}

// The decision by the words that the longer text takes, with P planes in registers; P = 0 is any number of either.
template <u32 P> DEVICE bool measure_holds(const TextTest& test, const Texts& texts, Text pattern, Text text) {
    const u32 length = pattern.length;
    if (test.measure >= TEXT_JARO) {
        if constexpr (P != 0) {
            if (length <= 32) return jaro_holds<u32, P>(test, texts, pattern, text);
            if (length <= 64) return jaro_holds<u64, P>(test, texts, pattern, text);
            if (length <= 128) return jaro_holds<u128, P>(test, texts, pattern, text);
        }
        return long_jaro_holds(test, texts, pattern, text);
    }
    const u32 bound = test.edits[length], fewest = bound & 0xffff, most = bound >> 16;
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
        return text::signatures_admit(test, text::signature_of(records, a), text::signature_of(records, b));
    }
    const TextShort* records = static_cast<const TextShort*>(texts.signatures);
    return text::signatures_admit(test, text::signature_of(records, a), text::signature_of(records, b));
}

// The verdict on the texts of two codes, by the measure itself.
DEVICE TextVerdict text_holds(const TextTest& test, const Texts& texts, u32 a, u32 b) {
    if (a == TEXT_NULL || b == TEXT_NULL) return TEXT_IS_NULL;
    const text::Text x = text::text_at(texts, a), y = text::text_at(texts, b);
    if (x.length == 0 || y.length == 0) return TEXT_IS_NULL;
    if (a == b) return test.same ? TEXT_TRUE : TEXT_FALSE;
    const bool longer = x.length > y.length;
    const text::Text pattern = longer ? x : y, other = longer ? y : x;
    if (test.measure >= TEXT_HOST || pattern.length > TEXT_LIMIT) return TEXT_NEEDS_HOST;
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
    return text_admits(test, texts, a, b) ? TEXT_NEEDS_MEASURE : TEXT_FALSE;
}

// What `text_evaluate_cheaply` left open.
DEVICE u32 text_evaluate_expensive(const TextTest& test, const Texts& texts, u32 a, u32 b) {
    return text_holds(test, texts, a, b);
}
