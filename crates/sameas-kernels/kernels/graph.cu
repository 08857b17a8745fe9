// Numbers the vertices of a graph in the order of their ids, and lists its edges by vertex.
#include "graph_layout.h"

KERNEL(graph_marks, GraphMarks) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        const u32 id = args.ids[at];
        u64* word = args.marks + id / 64;
        const u64 mark = 1ull << (id % 64);
        // Another thread may set it meanwhile, which does no harm.
        if ((*static_cast<volatile u64*>(word) & mark) == 0) atomicOr(word, mark);
    }
}

KERNEL(graph_codes, GraphCodes) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        const u32 id = args.ids[at];
        const u64 lower = args.marks[id / 64] & ((1ull << (id % 64)) - 1);
        args.codes[at] = static_cast<u32>(args.before[id / 64]) + static_cast<u32>(__popcll(lower));
    }
}

// The first edge of a source is also where those of all sources without edges before it begin.
KERNEL(graph_offsets, GraphOffsets) {
    for (u64 at = thread_in_grid(); at <= args.edges; at += threads_in_grid()) {
        const u32 from = at == 0 ? 0 : args.sources[at - 1] + 1;
        const u32 to = at == args.edges ? args.vertices : args.sources[at];
        for (u32 vertex = from; vertex <= to; ++vertex) args.offsets[vertex] = static_cast<u32>(at);
    }
}
