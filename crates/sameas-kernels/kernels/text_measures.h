// The measures of texts: what is counted between two texts, and what is made of it. The Rust side is
// sameas-measures/src/text/mod.rs; a test compares the numbers, which the build script reads here.
//
// Every switch names all enumerators, so that the compiler finds what a new one lacks.
#pragma once

#include "bound.h"
#include "text_damerau.h"
#include "text_dense.h"
#include "text_edits.h"
#include "text_jaro.h"
#include "text_lcs.h"

// What is counted; TEXT_HOST is what the host alone can decide.
enum TextCount : u32 {
    TEXT_LEVENSHTEIN = 0,
    TEXT_OSA = 1,
    TEXT_DAMERAU = 2,
    TEXT_JARO = 3,
    TEXT_JARO_WINKLER = 4,
    TEXT_HAMMING = 5,
    TEXT_LCS = 6,
    TEXT_HOST = 255,
};

// What is made of a number of edits: the number, 1 less its share of the longer length, what it leaves of the longer length
// as a share of it, or 1 less what is inserted or deleted as a share of both lengths.
enum TextFormula : u32 {
    FORMULA_COUNT = 0,
    FORMULA_SIMILARITY = 1,
    FORMULA_LCS = 2,
    FORMULA_INDEL = 3,
};

namespace text {

DEVICE TextCount count_of(const TextTest& test) { return static_cast<TextCount>(test.measure); }

DEVICE bool is_jaro(const TextTest& test) { return test.measure == TEXT_JARO || test.measure == TEXT_JARO_WINKLER; }

// Whether bounds depend on the sum of both lengths, and not on the longer one: CountScale.
DEVICE bool depends_on_both(const TextTest& test) {
    switch (static_cast<TextFormula>(test.formula)) {
        case FORMULA_COUNT:
        case FORMULA_SIMILARITY:
        case FORMULA_LCS: return false;
        case FORMULA_INDEL: return true;
    }
    return false;
}

// The value for some edits and a key, each operation rounded once: EditFormula::value.
DEVICE double formula_value(const TextTest& test, u32 edits, u32 key) {
    const double count = static_cast<double>(edits), length = static_cast<double>(key);
    switch (static_cast<TextFormula>(test.formula)) {
        case FORMULA_COUNT: return count;
        case FORMULA_SIMILARITY: return __dsub_rn(1.0, __ddiv_rn(count, length));
        case FORMULA_LCS: return __ddiv_rn(static_cast<double>(key - edits), length);
        case FORMULA_INDEL: return __dsub_rn(1.0, __ddiv_rn(static_cast<double>(key % 2 + 2 * edits), length));
    }
    return count;
}

// The numbers of edits with which a test holds; the fewest are more than the most where it never does.
struct EditRange {
    u32 fewest, most;
};

// The range for a key beyond the table, of at most `most` edits. From no edits to all, the verdict of an ordering changes at
// most once, and the value rises or falls throughout, so that at most one number of edits makes it equal.
static DEVICE_CALL EditRange edit_range_of_long(const TextTest& test, u32 key, u32 most) {
    auto holds = [&](u32 edits) { return compares(test.comparison, formula_value(test, edits, key), test.threshold); };
    if (test.comparison == COMPARE_EQUAL) {
        auto before = [&](u32 edits) {
            const double value = formula_value(test, edits, key);
            return test.formula == FORMULA_COUNT ? value < test.threshold : value > test.threshold;
        };
        const u32 edits = first_not(most, before);
        return holds(edits) ? EditRange{edits, edits} : EditRange{1, 0};
    }
    const bool first = holds(0);
    if (first == holds(most)) return first ? EditRange{0, most} : EditRange{1, 0};
    const u32 border = first_not(most, [&](u32 edits) { return holds(edits) == first; });
    return first ? EditRange{0, border - 1} : EditRange{border, most};
}

// The range for texts of two lengths. Edits are counted as the key counts them, and texts of two lengths have more.
DEVICE EditRange edit_range(const TextTest& test, u32 x, u32 y) {
    const u32 longer = max(x, y);
    const bool both = depends_on_both(test);
    const u32 key = both ? x + y : longer, shift = both ? longer - (x + y) / 2 : 0;
    EditRange range;
    if (longer > TEXT_LIMIT) {
        range = edit_range_of_long(test, key, both ? key / 2 : key);
    } else {
        const u32 bound = test.edits[key];
        range = {bound & 0xffff, bound >> 16};
    }
    if (range.fewest > range.most) return {1, 0};
    return {range.fewest == 0 ? 0 : range.fewest + shift, range.most + shift};
}

// The edits of two texts, the pattern no shorter and of no more characters than a word has bits; any number above `most` if
// there are more. Only what `text_holds` counts in columns comes here.
template <class Word, u32 P> DEVICE u32 count_edits(const TextTest& test, const Texts& texts, Text pattern, Text text, u32 most) {
    switch (count_of(test)) {
        case TEXT_OSA: return edits_of<Word, P, true>(texts, pattern, text, most);
        case TEXT_LCS: return lcs_left_out<Word, P>(texts, pattern, text, most);
        case TEXT_LEVENSHTEIN:
        case TEXT_DAMERAU:
        case TEXT_JARO:
        case TEXT_JARO_WINKLER:
        case TEXT_HAMMING:
        case TEXT_HOST: break;
    }
    return edits_of<Word, P, false>(texts, pattern, text, most);
}

// Words for each 64 rows of a long pattern.
DEVICE u32 words_for_rows(const TextTest& test) {
    switch (count_of(test)) {
        case TEXT_JARO:
        case TEXT_JARO_WINKLER: return JARO_WORDS;
        case TEXT_LCS: return LCS_WORDS;
        case TEXT_LEVENSHTEIN:
        case TEXT_OSA:
        case TEXT_DAMERAU:
        case TEXT_HAMMING:
        case TEXT_HOST: break;
    }
    return EDIT_WORDS;
}

// The same for a pattern of any length, in words for its columns.
template <class Words>
DEVICE u32 count_long_edits(const TextTest& test, const Texts& texts, Text pattern, Text text, u32 most, Words& columns) {
    switch (count_of(test)) {
        case TEXT_OSA: return edits_of_long<true>(texts, pattern, text, most, columns);
        case TEXT_LCS: return lcs_left_out_of_long(texts, pattern, text, most, columns);
        case TEXT_LEVENSHTEIN:
        case TEXT_DAMERAU:
        case TEXT_JARO:
        case TEXT_JARO_WINKLER:
        case TEXT_HAMMING:
        case TEXT_HOST: break;
    }
    return edits_of_long<false>(texts, pattern, text, most, columns);
}

// Hands the dense form of a number of edits to `take`, for texts of m and n characters; beyond `limit` edits the verdict is
// known.
template <class Take>
DEVICE void with_dense_columns(const TextTest& test, u32 m, u32 n, EditRange range, u32 limit, const Take& take) {
    switch (count_of(test)) {
        case TEXT_OSA: return take(Columns<true>{m, n, range.fewest, range.most, limit});
        case TEXT_LCS: return take(LcsColumns{m, n, range.fewest, range.most});
        case TEXT_LEVENSHTEIN:
        case TEXT_DAMERAU:
        case TEXT_JARO:
        case TEXT_JARO_WINKLER:
        case TEXT_HAMMING:
        case TEXT_HOST: break;
    }
    take(Columns<false>{m, n, range.fewest, range.most, limit});
}

}  // namespace text
