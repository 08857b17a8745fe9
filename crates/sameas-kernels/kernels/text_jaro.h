// Jaro and Jaro-Winkler similarities: the counts that determine them, and decisions on them.
//
// The matching is the definition's, with the shorter text taking: which of the two takes makes no difference (see
// sameas-measures/src/text/jaro.rs). Decisions look the counts up where the texts are short, and otherwise repeat
// the operations of the CPU in its order, each rounded once.
#pragma once

#include "comparison.h"
#include "text_planes.h"
#include "text_scratch.h"

namespace text {

// Matches and transpositions; `enough` is false where the matches cannot do, and the others are then not counted.
struct JaroCounts {
    u32 matches;
    u32 transpositions;
    bool enough;
};

// jaro::from_counts
DEVICE double jaro_from_counts(u32 x, u32 y, u32 matches, u32 transpositions) {
    if (matches == 0) return 0.0;
    const double m = static_cast<double>(matches);
    double sum = __dadd_rn(__ddiv_rn(m, static_cast<double>(x)), __ddiv_rn(m, static_cast<double>(y)));
    sum = __dadd_rn(sum, __ddiv_rn(static_cast<double>(matches - transpositions), m));
    return __ddiv_rn(sum, 3.0);
}

// jaro_winkler::from_jaro
DEVICE double winkler_from_jaro(double jaro, u32 prefix) {
    if (!(jaro > 0.7)) return jaro;
    return __dadd_rn(jaro, __dmul_rn(__dmul_rn(static_cast<double>(prefix), 0.1), __dsub_rn(1.0, jaro)));
}

// TextTest::holds_for
DEVICE bool value_holds(const TextTest& test, double value) { return compares(test.comparison, value, test.threshold); }

// TextTest::can_hold: false only where no pair with at most these matches and this prefix holds.
static DEVICE_CALL bool jaro_can_hold(const TextTest& test, u32 x, u32 y, u32 matches, u32 prefix) {
    double value = jaro_from_counts(x, y, min(matches, min(x, y)), 0);
    if (test.winkler) value = __dadd_rn(winkler_from_jaro(value, prefix), 1e-12);
    return value_holds(test, value);
}

// As TextPredicate::least_matches.
static DEVICE_CALL u32 jaro_least_of_long(const TextTest& test, u32 x, u32 y, u32 prefix) {
    u32 low = 0, high = min(x, y);
    if (!jaro_can_hold(test, x, y, high, prefix)) return TEXT_NULL;
    ROLLED
    while (low < high) {
        u32 middle = (low + high) / 2;
        if (jaro_can_hold(test, x, y, middle, prefix)) high = middle; else low = middle + 1;
    }
    return low;
}

// The least matches that can do, or more than either length.
DEVICE u32 jaro_least(const TextTest& test, u32 x, u32 y, u32 prefix) {
    if (!test.bounded) return 0;
    if (max(x, y) <= TEXT_LEAST) return test.least[((x - 1) * TEXT_LEAST + y - 1) * TEXT_PREFIXES + prefix];
    return jaro_least_of_long(test, x, y, prefix);
}

// The leading characters that two texts have in common, of which four count.
DEVICE u32 common_prefix(const Texts& texts, Text a, Text b) {
    u32 differing = 1u << min(min(a.length, b.length), TEXT_PREFIX);
    ROLLED
    for (u32 j = 0; j < texts.planes; ++j) differing |= a.words[j] ^ b.words[j];
    return lowest_bit(differing);
}

// How far apart matching characters may lie.
DEVICE u32 jaro_window(u32 longer) { return max(longer / 2, 1u) - 1; }

// The counts of two texts, the pattern no shorter and of no more characters than a word has bits, if at least `least`
// characters match.
template <class Word, u32 P> DEVICE JaroCounts jaro_of(const Texts& texts, Text pattern, Text text, u32 least) {
    if (least > text.length) return {0, 0, false};
    Pattern<Word, P> places(pattern, texts);
    const u32 window = jaro_window(pattern.length);
    // The window starts with what lies at or after the first place, grows to its full width, then moves on.
    Word within = low_bits<Word>(window + 1), taken = 0, place = 1;
    const Word all = ~static_cast<Word>(0) >> (sizeof(Word) * 8 - pattern.length);
    Word free = all;
    // Characters that may stay without a match.
    u32 spare = text.length - least;
    Walk<P> walk;
    ROLLED
    for (u32 at = 0; at < text.length; ++at) {
        if (at % 32 == 0) walk.enter(text, texts, at / 32);
        Word found = ~places.differing(walk, 31 - at % 32) & within & free;
        free ^= found & (~found + 1);
        if (found != 0) taken |= place;
        else if (spare-- == 0) return {0, 0, false};
        place <<= 1;
        within = within << 1 | (at < window ? 1 : 0);
    }
    Word matched = all ^ free;
    const u32 matches = count_bits(taken);
    u32 differing = 0;
    ROLLED
    while (matched != 0) {
        differing += characters_differ(texts, pattern, lowest_bit(matched), text, lowest_bit(taken)) ? 1 : 0;
        matched &= matched - 1;
        taken &= taken - 1;
    }
    return {matches, differing / 2, true};
}

// Words for each 64 characters of long texts: which are matched, in the pattern and in the text.
constexpr u32 JARO_WORDS = 2;

// The same for texts of any number of words.
template <class Words>
DEVICE JaroCounts jaro_of_long(const Texts& texts, Text pattern, Text text, u32 least, Words& words) {
    if (least > text.length) return {0, 0, false};
    auto matched = [&](u32 w) -> u64& { return words[JARO_WORDS * w]; };
    auto taken = [&](u32 w) -> u64& { return words[JARO_WORDS * w + 1]; };
    ROLLED
    for (u32 w = 0; w * 64 < pattern.length; ++w) matched(w) = taken(w) = 0;
    const u32 window = jaro_window(pattern.length);
    u32 spare = text.length - least, matches = 0;
    ROLLED
    for (u32 at = 0; at < text.length; ++at) {
        Walk<0> walk;
        walk.enter(text, texts, at / 32);
        const u32 first = at > window ? at - window : 0, last = min(at + window, pattern.length - 1);
        u64 found = 0;
        ROLLED
        for (u32 w = first / 64; w <= last / 64 && found == 0; ++w) {
            Text part = {pattern.words + w * 2 * texts.stride, pattern.length - w * 64};
            found = ~Pattern<u64, 0>(part, texts).differing(walk, 31 - at % 32) & ~matched(w);
            if (w == first / 64) found &= ~0ull << (first % 64);
            if (w == last / 64) found &= ~0ull >> (63 - last % 64);
            matched(w) |= found & (~found + 1);
        }
        if (found != 0) taken(at / 64) |= 1ull << (at % 64), matches += 1;
        else if (spare-- == 0) return {0, 0, false};
    }
    u32 differing = 0, w = 0, v = 0;
    ROLLED
    for (u32 k = 0; k < matches; ++k) {
        ROLLED
        while (matched(w) == 0) ++w;
        ROLLED
        while (taken(v) == 0) ++v;
        const u32 i = w * 64 + lowest_bit(matched(w)), j = v * 64 + lowest_bit(taken(v));
        differing += characters_differ(texts, pattern, i, text, j) ? 1 : 0;
        matched(w) &= matched(w) - 1;
        taken(v) &= taken(v) - 1;
    }
    return {matches, differing / 2, true};
}

// The decision by the similarity itself.
static DEVICE_CALL bool jaro_value_holds(const TextTest& test, u32 x, u32 y, JaroCounts counts, u32 prefix) {
    double value = jaro_from_counts(x, y, counts.matches, counts.transpositions);
    if (test.winkler) value = winkler_from_jaro(value, prefix);
    return value_holds(test, value);
}

// The decision for two lengths, x <= y, and their counts.
DEVICE bool jaro_decides(const TextTest& test, u32 x, u32 y, JaroCounts counts, u32 prefix) {
    if (y <= TEXT_DECIDED) {
        const u32 lengths = y * (y - 1) / 2 + x - 1;
        const u32 row = (lengths * (TEXT_DECIDED + 1) + counts.matches) * TEXT_PREFIXES + prefix;
        return (test.decisions[row] >> counts.transpositions & 1) != 0;
    }
    return jaro_value_holds(test, x, y, counts, prefix);
}

}  // namespace text
