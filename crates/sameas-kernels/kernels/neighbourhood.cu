// Numbers near each other: the partners of a left number are one run of the right order, whose ends are found by testing
// the condition itself. Why they are one run is said in sameas-joins/src/candidates/neighbourhood/window.rs.
#include "bound.h"
#include "checks.h"
#include "neighbourhood_layout.h"

KERNEL(neighbourhood_rows, NeighbourhoodRows) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        u32 row = args.rows != nullptr ? args.rows[at] : static_cast<u32>(at), code = args.codes[row];
        args.list[at] = row;
        args.flags[at] = code != NULL_CODE && args.kinds[code] == args.kind;
    }
}

constexpr u64 SIGN = 1ull << 63;

// Negative floats count backwards, -0.0 stands before 0.0.
DEVICE u64 neighbourhood_key(u32 kind, u64 number) {
    if (kind == NUMBER_WHOLE || !(number & SIGN)) return number ^ SIGN;
    return ~number;
}

DEVICE u64 neighbourhood_number(u32 kind, u64 key) {
    if (kind == NUMBER_WHOLE || (key & SIGN)) return key ^ SIGN;
    return ~key;
}

KERNEL(neighbourhood_keys, NeighbourhoodKeys) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        args.keys[at] = neighbourhood_key(args.kind, args.numbers[args.codes[args.rows[at]]]);
    }
}

// A left number, and the right order.
struct NeighbourhoodSearch {
    const NeighbourhoodWindows& args;
    u64 number;

    // Whether the condition holds for the number and the right one at a place.
    DEVICE bool holds(u32 place) const {
        u64 other = neighbourhood_number(args.right_kind, args.right_keys[place]);
        return difference_of(args.check, args.left_kind, number, args.right_kind, other) == TRUTH_TRUE;
    }

    // Whether the right number at a place lies before the centre of the number: as floats, if one is.
    DEVICE bool is_less(u32 place) const {
        u64 other = neighbourhood_number(args.right_kind, args.right_keys[place]);
        if (args.left_kind == NUMBER_WHOLE && args.right_kind == NUMBER_WHOLE) return (i64)other < (i64)number;
        return number_to_double(args.right_kind, other) < number_to_double(args.left_kind, number);
    }

    // The places from `begin` on for which the condition holds.
    DEVICE u32 end_from(u32 begin) const {
        return begin + first_not(args.right_len - begin, [&](u32 place) { return holds(begin + place); });
    }
};

KERNEL(neighbourhood_windows, NeighbourhoodWindows) {
    for (u64 at = thread_in_grid(); at < args.count; at += threads_in_grid()) {
        u32 head = args.first + static_cast<u32>(at);
        u32 begin = args.heads[head], end = head + 1 < args.distinct ? args.heads[head + 1] : args.left_len;
        NeighbourhoodSearch search = {args, neighbourhood_number(args.left_kind, args.left_keys[begin])};
        if (args.same != nullptr) {
            // One order: each number with those after it, if it is near itself; else it is near none.
            u32 own = search.holds(begin) ? end - begin : 0;
            u32 stop = own == 0 ? end : search.end_from(end);
            args.same[at] = {begin, own, begin, own};
            args.tiles[at] = {begin, end - begin, end, stop - end};
            continue;
        }
        u32 centre = first_not(args.right_len, [&](u32 place) { return search.is_less(place); });
        u32 from = first_not(centre, [&](u32 place) { return !search.holds(place); });
        args.tiles[at] = {begin, end - begin, from, search.end_from(centre) - from};
    }
}
