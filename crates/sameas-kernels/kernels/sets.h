// Token sets: whether two of them have enough in common, as soon as that is known.
#pragma once

#include "sets_layout.h"

// The ids of a set, ascending.
struct Tokens {
    const u32* ids;
    u32 size;
};

DEVICE Tokens tokens_of(const Sets& sets, u32 code) {
    const u64 begin = code == 0 ? 0 : sets.ends[code - 1];
    return {sets.ids + begin, static_cast<u32>(sets.ends[code] - begin)};
}

// The most tokens that two sets can share: what sets a bit that the other side does not have is not common. Each such bit
// has at least one token of its own, so the bound loses nothing.
DEVICE u32 most_common(const SetSummary& x, const SetSummary& y) {
    const u32 of_x = x.size - __popcll(x.low & ~y.low) - __popc(x.high & ~y.high);
    const u32 of_y = y.size - __popcll(y.low & ~x.low) - __popc(y.high & ~x.high);
    return of_x < of_y ? of_x : of_y;
}

// Any token may be the first that two sets share.
constexpr u32 ANY_TOKEN = 0xffffffffu;

// Whether two sets share at least `need` tokens, the first of them `owner` where one is given.
//
// A step that matches nothing loses a token of one side for good; when a side has lost more than it can spare, the rest
// cannot reach the need. Until then both sides have a token left, so their ends need no test.
DEVICE bool share_at_least(Tokens x, Tokens y, u32 need, u32 owner = ANY_TOKEN) {
    if (need == 0) return true;
    if (need > x.size || need > y.size) return false;
    u32 spare_x = x.size - need, spare_y = y.size - need, open = need;
    u32 a = *x.ids, b = *y.ids;
    ROLLED
    while (true) {
        if (a == b) {
            if (open == need && owner != ANY_TOKEN && a != owner) return false;
            if (--open == 0) return true;
            a = *++x.ids, b = *++y.ids;
        } else if (a < b) {
            if (spare_x-- == 0) return false;
            a = *++x.ids;
        } else {
            if (spare_y-- == 0) return false;
            b = *++y.ids;
        }
    }
}

// Tokens that two sets share.
DEVICE u32 common_tokens(Tokens x, Tokens y) {
    u32 count = 0;
    const u32 *end_x = x.ids + x.size, *end_y = y.ids + y.size;
    ROLLED
    while (x.ids < end_x && y.ids < end_y) {
        const u32 a = *x.ids, b = *y.ids;
        count += a == b;
        x.ids += a <= b;
        y.ids += b <= a;
    }
    return count;
}
