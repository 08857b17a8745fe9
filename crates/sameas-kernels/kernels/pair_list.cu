// Verdicts on arbitrary pairs of texts: signatures rule most out; the others wait in a queue of the warp until 32 of them
// can be verified with all lanes busy.
#include "text.h"

namespace text {

constexpr u32 LIST_QUEUE = 64;
constexpr u32 LIST_WARPS = 8;
// Pairs a lane takes at a time, so that as many loads of signatures are under way.
constexpr u32 LIST_LANE = 4;

// Where a pair's bit lies.
DEVICE void set_bit(u32* words, u64 pair) { atomicOr(words + pair / 32, 1u << (pair % 32)); }

struct ListRoom {
    u64 pairs[LIST_QUEUE];
};

// Verifies one pair per lane.
DEVICE_CALL void list_verify(const TextPairs& args, bool mine, u64 pair) {
    if (mine) {
        const u32 verdict = text_holds(args.test, args.texts, args.left[pair], args.right[pair]);
        if (verdict == TEXT_TRUE) set_bit(args.holds, pair);
        if (verdict == TEXT_IS_NULL) set_bit(args.nulls, pair);
        if (verdict == TEXT_NEEDS_HOST) set_bit(args.for_host, pair);
    }
    __syncwarp(FULL);
}

}  // namespace text

// All words of verdicts are zero at the start.
KERNEL(text_pair_list, TextPairs, KERNEL_BOUNDS(256, 2)) {
    using namespace text;
    __shared__ ListRoom rooms[LIST_WARPS];
    ListRoom& room = rooms[warp_in_block()];
    const u64 warps = threads_in_grid() / 32;
    u32 waiting = 0;
    for (u64 group = thread_in_grid() / 32; group * 32 * LIST_LANE < args.pairs; group += warps) {
        bool admitted[LIST_LANE];
        UNROLL
        for (u32 k = 0; k < LIST_LANE; ++k) {
            const u64 pair = (group * LIST_LANE + k) * 32 + lane();
            admitted[k] = pair < args.pairs && text_admits(args.test, args.texts, args.left[pair], args.right[pair]);
        }
        UNROLL
        for (u32 k = 0; k < LIST_LANE; ++k) {
            const u32 lanes = __ballot_sync(FULL, admitted[k]);
            if (lanes == 0) continue;
            const u32 place = waiting + static_cast<u32>(__popc(lanes & lanes_below()));
            if (admitted[k]) room.pairs[place] = (group * LIST_LANE + k) * 32 + lane();
            waiting += static_cast<u32>(__popc(lanes));
            __syncwarp(FULL);
            if (waiting < 32) continue;
            waiting -= 32;
            const u64 pair = room.pairs[waiting + lane()];
            __syncwarp(FULL);
            list_verify(args, true, pair);
        }
    }
    const bool mine = lane() < waiting;
    list_verify(args, mine, mine ? room.pairs[lane()] : 0);
}
