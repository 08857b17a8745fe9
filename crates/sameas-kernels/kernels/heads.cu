// Runs of equal keys in sorted lists.
#include "heads_layout.h"

template <class Key> DEVICE void heads(const Heads& args) {
    const Key* keys = static_cast<const Key*>(args.keys);
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        args.numbers[at] = static_cast<u32>(at);
        args.flags[at] = at == 0 || keys[at - 1] != keys[at];
    }
}

KERNEL(heads_u32, Heads) { heads<u32>(args); }
KERNEL(heads_u64, Heads) { heads<u64>(args); }
