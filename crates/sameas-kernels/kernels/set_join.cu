// Pairs of sets with enough in common: the twin of sameas-joins/src/candidates/set_join.
#include "set_join.h"

KERNEL(set_join_sizes, SetSizes, KERNEL_BOUNDS(256, 4)) { sets::sizes(args); }

KERNEL(set_join_histogram, SetHistogram, KERNEL_BOUNDS(256, 4)) { sets::histogram(args); }

KERNEL(set_join_sign, SetSign, KERNEL_BOUNDS(256, 4)) { sets::sign(args); }

KERNEL(set_join_sample, SetSample, KERNEL_BOUNDS(256, 4)) { sets::sample(args); }

KERNEL(set_join_token_counts, SetTokenCounts, KERNEL_BOUNDS(256, 4)) { sets::token_counts(args); }

KERNEL(set_join_listed, SetListed, KERNEL_BOUNDS(256, 4)) { sets::listed(args); }

KERNEL(set_join_entries, SetEntries, KERNEL_BOUNDS(256, 4)) { sets::entries(args); }

KERNEL(set_join_starts, SetStarts, KERNEL_BOUNDS(256, 4)) { sets::starts(args); }

KERNEL(set_join_count, SetCount, KERNEL_BOUNDS(256, 4)) { sets::count_chunks(args); }

KERNEL(set_join_chunks, SetChunks, KERNEL_BOUNDS(256, 4)) { sets::chunks(args); }

KERNEL(set_join_256, SetJoin, KERNEL_BOUNDS(256, 2)) { sets::join<8>(args); }

KERNEL(set_join_512, SetJoin, KERNEL_BOUNDS(256, 2)) { sets::join<16>(args); }

KERNEL(set_join_1024, SetJoin, KERNEL_BOUNDS(256, 2)) { sets::join<32>(args); }
