// Texts as bit planes: which characters of one text equal a character of another, for a word of characters at once.
//
// The pattern, the longer text, lies in words of as many bits as it has characters: 32, 64 or 128. The other one is
// walked character by character. P is the number of planes held in registers, as many as the codes of the alphabet have
// bits or more (further ones are zero); P = 0 reads any number of planes from memory.
#pragma once

#include "text_layout.h"

__extension__ typedef unsigned __int128 u128;

namespace text {

// A text: its planes and its characters.
struct Text {
    const u32* words;
    u32 length;
};

DEVICE Text text_at(const Texts& texts, u32 code) {
    TextHead head = texts.heads[code];
    return {texts.words + static_cast<u64>(head.offset) * 4, head.length};
}

// All bits equal to the bit of `plane` that lies `from_top` below the highest.
DEVICE u32 spread(u32 plane, u32 from_top) { return static_cast<u32>(static_cast<i32>(plane << from_top) >> 31); }

DEVICE u32 widen(u32 mask, u32*) { return mask; }
DEVICE u64 widen(u32 mask, u64*) { return static_cast<u64>(mask) << 32 | mask; }
DEVICE u128 widen(u32 mask, u128*) {
    u64 half = static_cast<u64>(mask) << 32 | mask;
    return static_cast<u128>(half) << 64 | half;
}

// The lowest `count` bits, for fewer bits than the word has.
template <class Word> DEVICE Word low_bits(u32 count) { return (static_cast<Word>(1) << count) - 1; }

DEVICE u32 count_bits(u32 word) { return static_cast<u32>(__popc(word)); }
DEVICE u32 count_bits(u64 word) { return static_cast<u32>(__popcll(word)); }
DEVICE u32 count_bits(u128 word) { return count_bits(static_cast<u64>(word)) + count_bits(static_cast<u64>(word >> 64)); }

// The place of the lowest bit of a word that is not zero.
DEVICE u32 lowest_bit(u32 word) { return static_cast<u32>(__ffs(static_cast<i32>(word))) - 1; }
DEVICE u32 lowest_bit(u64 word) { return static_cast<u32>(__ffsll(static_cast<i64>(word))) - 1; }
DEVICE u32 lowest_bit(u128 word) {
    u64 low = static_cast<u64>(word);
    return low != 0 ? lowest_bit(low) : 64 + lowest_bit(static_cast<u64>(word >> 64));
}

// The planes of one group; those that are not stored are zero.
template <u32 P> DEVICE void group_planes(const u32* group, u32 stride, u32 (&planes)[P]) {
    static_assert(P > 4 && P <= 8, "stored in fours");
    uint4 first = *reinterpret_cast<const uint4*>(group);
    planes[0] = first.x, planes[1] = first.y, planes[2] = first.z, planes[3] = first.w;
    if (P == 5) {
        planes[4] = stride > 4 ? group[4] : 0;
    } else {
        uint4 second = stride > 4 ? *reinterpret_cast<const uint4*>(group + 4) : make_uint4(0, 0, 0, 0);
        planes[4] = second.x, planes[5 % P] = second.y, planes[6 % P] = second.z, planes[7 % P] = second.w;
    }
}

// The planes of the word at the beginning of a text.
template <class Word, u32 P> DEVICE void word_planes(Text text, u32 stride, Word (&planes)[P]) {
    UNROLL
    for (u32 j = 0; j < P; ++j) planes[j] = 0;
    UNROLL
    for (u32 group = 0; group < sizeof(Word) / 4; ++group) {
        if (group * 32 >= text.length) break;
        u32 part[P];
        group_planes<P>(text.words + group * stride, stride, part);
        UNROLL
        for (u32 j = 0; j < P; ++j) planes[j] |= static_cast<Word>(part[j]) << (group * 32);
    }
}

// The planes of a whole text in words.
template <class Word, u32 P> struct Pattern {
    Word planes[P];

    DEVICE Pattern(Text text, const Texts& texts) {
        word_planes<Word, P>(text, texts.stride, planes);
    }

    // The characters that differ from the one at `from_top` of the walk's group.
    template <class Walk> DEVICE Word differing(const Walk& walk, u32 from_top) const {
        Word differing = 0;
        UNROLL
        for (u32 j = 0; j < P; ++j) {
            differing |= planes[j] ^ widen(spread(walk.planes[j], from_top), static_cast<Word*>(nullptr));
        }
        return differing;
    }
};

// Any number of planes of 64 characters, read from memory.
template <> struct Pattern<u64, 0> {
    Text text;
    u32 count, stride;

    DEVICE Pattern(Text text, const Texts& texts) : text(text), count(texts.planes), stride(texts.stride) {}

    template <class Walk> DEVICE u64 differing(const Walk& walk, u32 from_top) const {
        const u32* high = text.length > 32 ? text.words + stride : text.words;
        u64 differing = 0;
        ROLLED
        for (u32 j = 0; j < count; ++j) {
            const u32 mask = spread(walk.group[j], from_top);
            differing |= static_cast<u64>(high[j] ^ mask) << 32 | (text.words[j] ^ mask);
        }
        return differing;
    }
};

// The planes of 32 characters of the text that is walked.
template <u32 P> struct Walk {
    u32 planes[P];

    DEVICE void enter(Text text, const Texts& texts, u32 group) {
        group_planes<P>(text.words + group * texts.stride, texts.stride, planes);
    }
};

template <> struct Walk<0> {
    const u32* group;

    DEVICE void enter(Text text, const Texts& texts, u32 at) { group = text.words + at * texts.stride; }
};

// Whether character i of one text differs from character j of another.
DEVICE bool characters_differ(const Texts& texts, Text a, u32 i, Text b, u32 j) {
    const u32* x = a.words + (i / 32) * texts.stride;
    const u32* y = b.words + (j / 32) * texts.stride;
    u32 differing = 0;
    ROLLED
    for (u32 plane = 0; plane < texts.planes; ++plane) differing |= (x[plane] >> (i % 32)) ^ (y[plane] >> (j % 32));
    return (differing & 1) != 0;
}

}  // namespace text
