// The mean of best matches of two sets of elements against a threshold, for Jaro similarities of elements: decided as in
// sameas-joins/src/threshold/element_test.rs, with the same bounds and the same operations in the same order, each
// rounded once.
#pragma once

#include "sets.h"
#include "text.h"
#include "verify_layout.h"

namespace text {

// The best match of an element, less than 0 where the host has to find it, and the most that it could have been.
struct BestMatch {
    double best;
    double most;
};

// ElementTest::known: what rounding may add to a mean, and for each element besides.
constexpr double MEAN_SLACK = 1e-12;
constexpr double MEAN_SLACK_OF_ELEMENT = 1e-15;

// A similarity of elements of x and y characters.
DEVICE double alike(const ElementsCheck& check, u32 x, u32 y, u32 matches, u32 transpositions, u32 prefix) {
    const double jaro = jaro_from_counts(x, y, matches, transpositions);
    return check.winkler ? winkler_from_jaro(jaro, prefix) : jaro;
}

// At least the similarity of two elements with these signatures.
template <u32 WORDS>
DEVICE double most_alike(const ElementsCheck& check, const Signature<WORDS>& a, const Signature<WORDS>& b) {
    const u32 shorter = min(a.length, b.length), matches = min(most_common(a, b), shorter);
    const u32 prefix = min(equal_bytes(a.prefix, b.prefix), shorter);
    double most = alike(check, a.length, b.length, matches, 0, prefix);
    if (check.winkler) most = __dadd_rn(most, 1e-12);
    return most < 1.0 ? most : 1.0;
}

static DEVICE_CALL double most_alike(const ElementsCheck& check, u32 a, u32 b) {
    const Texts& texts = *check.texts;
    if (texts.is_long) {
        const TextLong* records = static_cast<const TextLong*>(texts.signatures);
        return most_alike(check, signature_of(records, a), signature_of(records, b));
    }
    const TextShort* records = static_cast<const TextShort*>(texts.signatures);
    return most_alike(check, signature_of(records, a), signature_of(records, b));
}

template <class Word, u32 P> static DEVICE_CALL JaroCounts all_counts(const Texts& texts, Text pattern, Text text) {
    return jaro_of<Word, P>(texts, pattern, text, 0);
}

static DEVICE_CALL JaroCounts all_counts_of_long(const Texts& texts, Text pattern, Text text) {
    OwnWords<TEXT_LIMIT / 64 * JARO_WORDS> words;
    return jaro_of_long(texts, pattern, text, 0, words);
}

// What two elements have in common, the pattern no shorter, with P planes in registers; P = 0 is any number of them.
template <u32 P> DEVICE JaroCounts element_counts(const Texts& texts, Text pattern, Text text) {
    if constexpr (P != 0) {
        if (pattern.length <= 32) return all_counts<u32, P>(texts, pattern, text);
        if (pattern.length <= 64) return all_counts<u64, P>(texts, pattern, text);
    }
    return all_counts_of_long(texts, pattern, text);
}

// The similarity of two elements of at most TEXT_LIMIT characters.
DEVICE double alike(const ElementsCheck& check, Text a, Text b) {
    const Texts& texts = *check.texts;
    const bool longer = a.length > b.length;
    const Text pattern = longer ? a : b, other = longer ? b : a;
    JaroCounts counts;
    if (texts.planes <= 5) counts = element_counts<5>(texts, pattern, other);
    else if (texts.planes <= 8) counts = element_counts<8>(texts, pattern, other);
    else counts = element_counts<0>(texts, pattern, other);
    const u32 prefix = common_prefix(texts, pattern, other);
    return alike(check, a.length, b.length, counts.matches, counts.transpositions, prefix);
}

// The most that an element can have in common with one of a set.
DEVICE double most_of(const ElementsCheck& check, u32 element, Tokens set) {
    double most = 0.0;
    ROLLED
    for (u32 at = 0; at < set.size; ++at) {
        if (set.ids[at] == element) return 1.0;
        const double bound = most_alike(check, element, set.ids[at]);
        most = bound > most ? bound : most;
    }
    return most;
}

// The greatest similarity of an element with one of a set.
static DEVICE_CALL BestMatch best_match(const ElementsCheck& check, u32 element, Tokens set) {
    const Text own = text_at(*check.texts, element);
    double best = 0.0, most = 0.0;
    ROLLED
    for (u32 at = 0; at < set.size; ++at) {
        if (set.ids[at] == element) return {1.0, 1.0};
        const double bound = most_alike(check, element, set.ids[at]);
        most = bound > most ? bound : most;
        if (bound <= best) continue;
        const Text other = text_at(*check.texts, set.ids[at]);
        if (max(own.length, other.length) > TEXT_LIMIT) return {-1.0, 1.0};
        const double value = alike(check, own, other);
        best = value > best ? value : best;
    }
    return {best, most};
}

// The verdict, where it is the same for every mean from the sum so far on to that with all that the others can add;
// TEXT_NEEDS_MEASURE where it is not.
DEVICE TextVerdict verdict_between(const ElementsCheck& check, double sum, double rest, double count) {
    const double low = __ddiv_rn(sum, count);
    const double slack = __dadd_rn(MEAN_SLACK, __dmul_rn(MEAN_SLACK_OF_ELEMENT, count));
    const double high = __dadd_rn(__ddiv_rn(__dadd_rn(sum, rest > 0.0 ? rest : 0.0), count), slack);
    if (check.comparison == COMPARE_EQUAL) {
        return low > check.threshold || high < check.threshold ? TEXT_FALSE : TEXT_NEEDS_MEASURE;
    }
    const bool holds = compares(check.comparison, low, check.threshold);
    return holds == compares(check.comparison, high, check.threshold) ? verdict_of(holds) : TEXT_NEEDS_MEASURE;
}

}  // namespace text

// The verdict on the sets of two codes; of them that of the right row is the first argument where they are exchanged.
static DEVICE_CALL u32 evaluate_elements(const ElementsCheck& check, u32 a, u32 b) {
    const Tokens left = tokens_of(check.left, a), right = tokens_of(check.right, b);
    const Tokens x = check.exchanged ? right : left, y = check.exchanged ? left : right;
    if (x.size == 0 || y.size == 0) return TEXT_IS_NULL;
    const double count = static_cast<double>(x.size);
    double sum = 0.0, rest = 0.0;
    ROLLED
    for (u32 at = 0; at < x.size; ++at) rest = __dadd_rn(rest, text::most_of(check, x.ids[at], y));
    TextVerdict verdict = text::verdict_between(check, sum, rest, count);
    ROLLED
    for (u32 at = 0; at < x.size && verdict == TEXT_NEEDS_MEASURE; ++at) {
        const text::BestMatch match = text::best_match(check, x.ids[at], y);
        if (match.best < 0.0) return TEXT_NEEDS_HOST;
        sum = __dadd_rn(sum, match.best);
        rest = __dsub_rn(rest, match.most);
        verdict = text::verdict_between(check, sum, rest, count);
    }
    if (verdict != TEXT_NEEDS_MEASURE) return verdict;
    return text::verdict_of(compares(check.comparison, __ddiv_rn(sum, count), check.threshold));
}
