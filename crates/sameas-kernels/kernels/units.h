// Which warp of a launch does which of its units. The queue is what is used; the others are what "HyperBlocker" (section
// 5.2) does with intervals and thread blocks, for comparison: units are its intervals, and warps its blocks.
#pragma once

#include "tiles_layout.h"

// The next unit of this warp, counted from 0, or one beyond the last.
struct UnitSource {
    const TilesRun& args;
    u64 next = 0, end = 0;

    DEVICE explicit UnitSource(const TilesRun& args) : args(args) {
        if (args.schedule == SCHEDULE_QUEUE) return;
        next = warp();
        end = args.units;
        if (args.schedule != SCHEDULE_CONTINUOUS) return;
        next = args.units * warp() / warps();
        end = args.units * (warp() + 1) / warps();
    }

    DEVICE u64 take() {
        u64 unit = 0;
        if (lane() == 0) unit = args.schedule == SCHEDULE_QUEUE ? atomicAdd(args.taken, 1ull) : take_otherwise();
        return __shfl_sync(FULL, unit, 0);
    }

  private:
    DEVICE static u64 warp() { return thread_in_grid() / 32; }
    DEVICE static u64 warps() { return threads_in_grid() / 32; }

    DEVICE_CALL u64 take_otherwise() {
        if (args.schedule == SCHEDULE_RANGE_STEALING) return take_of_ranges();
        const u64 step = args.schedule == SCHEDULE_CONTINUOUS ? 1 : warps();
        for (; next < end; next += step) {
            if (args.schedule == SCHEDULE_WINDOW_STEALING && !claim(next)) continue;
            const u64 unit = next;
            next += step;
            return unit;
        }
        return args.schedule == SCHEDULE_WINDOW_STEALING ? steal_unit() : args.units;
    }

    // Inter-interval stealing: a bit says whether a unit has been taken.
    DEVICE bool claim(u64 unit) {
        const u64 bit = 1ull << (unit % 64);
        return (atomicOr(args.taken + unit / 64, bit) & bit) == 0;
    }

    // Any unit that nobody has taken. Words are looked at from another place by each warp.
    DEVICE u64 steal_unit() {
        const u64 words = (args.units + 63) / 64, first = words * warp() / warps();
        for (u64 at = 0; at < words; ++at) {
            const u64 word = (first + at) % words;
            for (u64 free; (free = ~*static_cast<volatile u64*>(args.taken + word)) != 0;) {
                const u64 unit = word * 64 + static_cast<u64>(__ffsll(static_cast<i64>(free)) - 1);
                if (unit >= args.units) break;
                if (claim(unit)) return unit;
            }
        }
        return args.units;
    }

    // Intra-interval stealing: each warp has a range of units, its first in the upper half of a word and its end in the
    // lower; who has none takes the later half of another's.
    DEVICE u64 take_of_ranges() {
        u64* mine = args.taken + warp();
        for (u64 range = *static_cast<volatile u64*>(mine); range >> 32 < (range & FULL);) {
            const u64 seen = atomicCAS(mine, range, range + (1ull << 32));
            if (seen == range) return range >> 32;
            range = seen;
        }
        for (u64 at = 1; at < warps(); ++at) {
            u64* other = args.taken + (warp() + at) % warps();
            const u64 range = *static_cast<volatile u64*>(other), begin = range >> 32, last = range & FULL;
            if (begin + 1 >= last) continue;
            const u64 middle = begin + (last - begin + 1) / 2;
            if (atomicCAS(other, range, begin << 32 | middle) != range) continue;
            // Nobody takes from a range that is empty.
            atomicExch(mine, (middle + 1) << 32 | last);
            return middle;
        }
        return args.units;
    }
};
