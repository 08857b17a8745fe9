// The join of texts by common deletion variants: entries are made text by text, sorted by key, and the entries of a key
// are a tile, whose pairs are enumerated as those of any other tiles.
#include "bound.h"
#include "edit_join.h"
#include "tiles.h"

// Hands the variants of each text that the warp takes to `make(slot)`, which says what becomes of one.
template <class Make> DEVICE void edit_join_texts(const EditJoinVariants& args, Make make) {
    __shared__ edits::VariantRoom rooms[EDIT_JOIN_THREADS / 32];
    const u64 warps = threads_in_grid() / 32;
    for (u64 slot = thread_in_grid() / 32; slot < args.count; slot += warps) {
        __syncwarp(FULL);
        const edits::VariantText text(rooms[warp_in_block()], args.texts, args.codes[slot]);
        make(static_cast<u32>(slot), text, args.deletions[text.length]);
    }
}

KERNEL(edit_join_slices, EditJoinVariants, KERNEL_BOUNDS(EDIT_JOIN_THREADS, 4)) {
    __shared__ u32 bins[EDIT_JOIN_SLICES];
    for (u32 bin = threadIdx.x; bin < args.slices; bin += blockDim.x) bins[bin] = 0;
    __syncthreads();
    edit_join_texts(args, [&](u32, const edits::VariantText& text, u32 deletions) {
        edits::each_variant(text, deletions, [&](bool valid, u64 hash) {
            if (valid) atomicAdd(&bins[edits::slice_of(hash, args.slices)], 1u);
        });
    });
    __syncthreads();
    for (u32 bin = threadIdx.x; bin < args.slices; bin += blockDim.x) {
        if (bins[bin] != 0) atomicAdd(&args.bins[bin], bins[bin]);
    }
}

KERNEL(edit_join_count, EditJoinVariants, KERNEL_BOUNDS(EDIT_JOIN_THREADS, 4)) {
    edit_join_texts(args, [&](u32 slot, const edits::VariantText& text, u32 deletions) {
        u32 count = 0;
        edits::each_variant(text, deletions, [&](bool valid, u64 hash) {
            count += __popc(__ballot_sync(FULL, valid && edits::slice_of(hash, args.slices) == args.slice));
        });
        if (lane() == 0) args.counts[slot] = count;
    });
}

KERNEL(edit_join_write, EditJoinVariants, KERNEL_BOUNDS(EDIT_JOIN_THREADS, 4)) {
    edit_join_texts(args, [&](u32 slot, const edits::VariantText& text, u32 deletions) {
        u64 place = args.before[slot];
        edits::each_variant(text, deletions, [&](bool valid, u64 hash) {
            const bool mine = valid && edits::slice_of(hash, args.slices) == args.slice;
            const u32 lanes = __ballot_sync(FULL, mine);
            if (mine) {
                const u64 at = place + __popc(lanes & lanes_below());
                args.keys[at] = edits::tag_of(hash, args.tag_mask);
                args.slots[at] = slot;
            }
            place += __popc(lanes);
        });
    });
}

KERNEL(edit_join_heads, EditJoinHeads) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        const u32 key = args.keys[at];
        const bool is_first = at == 0 || args.keys[at - 1] != key;
        args.numbers[at] = static_cast<u32>(at);
        args.flags[at] = is_first && at + 1 < args.len && args.keys[at + 1] == key;
    }
}

// The entries of a key end where its run does: found in steps that double, since most runs are short.
DEVICE u32 edit_join_end(const EditJoinTiles& args, u32 begin) {
    const u32 key = args.keys[begin];
    u32 step = 2;
    while (begin + step < args.len && step < args.len && args.keys[begin + step] == key) step *= 2;
    const u32 from = begin + step / 2, rest = min(args.len - from, step - step / 2);
    return from + first_not(rest, [&](u32 place) { return args.keys[from + place] == key; });
}

KERNEL(edit_join_tiles, EditJoinTiles) {
    for (u64 at = thread_in_grid(); at < args.count; at += threads_in_grid()) {
        const u32 begin = args.heads[at], end = edit_join_end(args, begin);
        Tile tile = {begin, end - begin, begin, end - begin};
        if (args.first_right != 0) {
            tile.left_len = first_not(end - begin, [&](u32 place) { return args.slots[begin + place] < args.first_right; });
            tile.right_begin = begin + tile.left_len;
            tile.right_len = end - tile.right_begin;
        }
        args.tiles[at] = tile;
    }
}

KERNEL(edit_join_itself, EditJoinItself) {
    const u64 first = thread_in_grid() - lane();
    for (u64 at = first; at < args.count; at += threads_in_grid()) {
        const bool valid = at + lane() < args.count;
        const u32 code = valid ? args.codes[args.first + at + lane()] : 0;
        EditJoinMeet::edits_write(args.out, valid && args.texts.heads[code].length > 0, code, code);
    }
}

KERNEL(tiles_dense_edit_join, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 2)) { tiles_dense<EditJoinMeet>(args); }
KERNEL(tiles_light_edit_join, TilesRun, KERNEL_BOUNDS(TILE_THREADS, 2)) { tiles_light<EditJoinMeet>(args); }
