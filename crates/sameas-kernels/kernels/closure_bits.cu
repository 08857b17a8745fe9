// Warshall's closure of a matrix of bits by tiles, after "Duplicate Detection on GPUs", 5.5: for each pivot, first its own
// tile, then those of its row and column, then all others. Its work is the cube of the vertices: an experiment, to be
// compared with what follows edges.
#include "closure_bits_layout.h"

DEVICE u32* closure_tile(const ClosureBits& args, u32 row, u32 column) {
    return args.rows + static_cast<u64>(row) * TILE_ROWS * args.tiles * TILE_WORDS + column * TILE_WORDS;
}

// A tile in shared memory, one word of padding a row against conflicts of banks.
struct ClosureTile {
    u32 rows[TILE_ROWS][TILE_WORDS + 1];
};

// Each thread copies a row.
DEVICE void closure_load(const ClosureBits& args, ClosureTile& tile, const u32* from) {
    for (u32 i = 0; i < TILE_WORDS; ++i) {
        tile.rows[threadIdx.x][i] = from[static_cast<u64>(threadIdx.x) * args.tiles * TILE_WORDS + i];
    }
}

KERNEL(closure_bits_edges, ClosureBits) {
    for (u64 from = thread_in_grid(); from < args.vertices; from += threads_in_grid()) {
        u32* row = args.rows + from * args.tiles * TILE_WORDS;
        for (u32 at = args.offsets[from]; at < args.offsets[from + 1]; ++at) {
            const u32 to = args.targets[at];
            row[to / 32] |= 1u << (to % 32);
        }
    }
}

KERNEL(closure_bits_pivot, ClosureBits, KERNEL_BOUNDS(TILE_ROWS, 1)) {
    __shared__ ClosureTile tile;
    u32* to = closure_tile(args, args.pivot, args.pivot);
    closure_load(args, tile, to);
    __syncthreads();
    u32* own = tile.rows[threadIdx.x];
    for (u32 k = 0; k < TILE_ROWS; ++k) {
        // Row k itself does not change in its turn.
        if (own[k / 32] >> (k % 32) & 1) {
            for (u32 i = 0; i < TILE_WORDS; ++i) own[i] |= tile.rows[k][i];
        }
        __syncthreads();
    }
    for (u32 i = 0; i < TILE_WORDS; ++i) to[static_cast<u64>(threadIdx.x) * args.tiles * TILE_WORDS + i] = own[i];
}

// Adds the product of two tiles to a third: each thread has a row.
DEVICE void closure_product(const ClosureBits& args, ClosureTile& left, ClosureTile& right, const u32* a, const u32* b,
                            u32* c) {
    closure_load(args, left, a);
    closure_load(args, right, b);
    __syncthreads();
    u32* row = c + static_cast<u64>(threadIdx.x) * args.tiles * TILE_WORDS;
    u32 sum[TILE_WORDS];
    UNROLL
    for (u32 i = 0; i < TILE_WORDS; ++i) sum[i] = row[i];
    for (u32 word = 0; word < TILE_WORDS; ++word) {
        for (u32 rest = left.rows[threadIdx.x][word]; rest != 0; rest &= rest - 1) {
            const u32* other = right.rows[word * 32 + static_cast<u32>(__ffs(static_cast<i32>(rest)) - 1)];
            UNROLL
            for (u32 i = 0; i < TILE_WORDS; ++i) sum[i] |= other[i];
        }
    }
    UNROLL
    for (u32 i = 0; i < TILE_WORDS; ++i) row[i] = sum[i];
}

// The tiles of the pivot's row and column: two blocks for each other tile.
KERNEL(closure_bits_cross, ClosureBits, KERNEL_BOUNDS(TILE_ROWS, 4)) {
    __shared__ ClosureTile left;
    __shared__ ClosureTile right;
    const u32 at = blockIdx.x / 2, other = at < args.pivot ? at : at + 1;
    const u32* pivot = closure_tile(args, args.pivot, args.pivot);
    if (blockIdx.x % 2 == 0) {
        u32* tile = closure_tile(args, args.pivot, other);
        closure_product(args, left, right, pivot, tile, tile);
    } else {
        u32* tile = closure_tile(args, other, args.pivot);
        closure_product(args, left, right, tile, pivot, tile);
    }
}

// All other tiles, a block each.
KERNEL(closure_bits_rest, ClosureBits, KERNEL_BOUNDS(TILE_ROWS, 4)) {
    __shared__ ClosureTile left;
    __shared__ ClosureTile right;
    const u32 others = args.tiles - 1, row = blockIdx.x / others, column = blockIdx.x % others;
    const u32 x = row < args.pivot ? row : row + 1, y = column < args.pivot ? column : column + 1;
    const u32* a = closure_tile(args, x, args.pivot);
    closure_product(args, left, right, a, closure_tile(args, args.pivot, y), closure_tile(args, x, y));
}

KERNEL(closure_bits_count, ClosureBits) {
    const u64 words = static_cast<u64>(args.tiles) * TILE_ROWS * args.tiles * TILE_WORDS;
    u64 pairs = 0;
    for (u64 at = thread_in_grid(); at < words; at += threads_in_grid()) pairs += static_cast<u64>(__popc(args.rows[at]));
    pairs = warp_sum(pairs);
    if (lane() == 0 && pairs > 0) atomicAdd(args.pairs, pairs);
}
