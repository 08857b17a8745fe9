// Gathers what the checks of some records read: their codes, numbered within the part, and the values of these.
#include "part_layout.h"
#include "verify_layout.h"

KERNEL(part_codes, PartCodes) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        const u32 code = args.all[args.rows[at]];
        args.codes[at] = code;
        if (code == NULL_CODE) continue;
        u64* word = args.marks + code / 64;
        const u64 mark = 1ull << (code % 64);
        // Another thread may set it meanwhile, which does no harm. Most marks of frequent values are there.
        if ((*static_cast<volatile u64*>(word) & mark) == 0) atomicOr(word, mark);
    }
}

KERNEL(part_counts, PartValues) {
    for (u64 at = thread_in_grid(); at < args.words; at += threads_in_grid()) {
        args.counts[at] = static_cast<u32>(__popcll(args.marks[at]));
    }
}

KERNEL(part_kept, PartValues) {
    for (u64 at = thread_in_grid(); at < args.words; at += threads_in_grid()) {
        u32* next = args.kept + args.before[at];
        for (u64 marks = args.marks[at]; marks != 0; marks &= marks - 1) {
            *next++ = static_cast<u32>(at * 64 + static_cast<u64>(__ffsll(static_cast<i64>(marks)) - 1));
        }
    }
}

KERNEL(part_numbers, PartNumbers) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        const u32 code = args.codes[at];
        if (code == NULL_CODE) continue;
        const u64 lower = args.marks[code / 64] & ((1ull << (code % 64)) - 1);
        args.codes[at] = static_cast<u32>(args.before[code / 64]) + static_cast<u32>(__popcll(lower));
    }
}

KERNEL(part_spans, PartSpans) {
    for (u64 at = thread_in_grid(); at <= args.len; at += threads_in_grid()) {
        if (at == args.len) {
            args.lengths[at] = 0;
            continue;
        }
        const u32 value = args.kept[at];
        const u64 begin = value == 0 ? 0 : args.ends[value - 1];
        args.begins[at] = begin;
        args.lengths[at] = static_cast<u32>(args.ends[value] - begin);
    }
}

// A warp a list.
KERNEL(part_lists, PartLists) {
    for (u64 at = thread_in_grid() / 32; at < args.len; at += threads_in_grid() / 32) {
        const u32* from = args.items + args.begins[at];
        u32* to = args.gathered + args.places[at];
        for (u32 i = lane(); i < args.lengths[at]; i += 32) to[i] = from[i];
    }
}

KERNEL(part_records, PartRecords) {
    const u64* all = static_cast<const u64*>(args.all);
    u64* records = static_cast<u64*>(args.records);
    for (u64 at = thread_in_grid(); at < args.len * args.units; at += threads_in_grid()) {
        records[at] = all[static_cast<u64>(args.kept[at / args.units]) * args.units + at % args.units];
    }
}

KERNEL(part_groups, PartHeads) {
    for (u64 at = thread_in_grid(); at <= args.len; at += threads_in_grid()) {
        args.groups[at] = (args.lengths[at] + 31) / 32 * args.stride / 4;
    }
}

KERNEL(part_heads, PartHeads) {
    for (u64 at = thread_in_grid(); at < args.len; at += threads_in_grid()) {
        args.heads[at] = {static_cast<u32>(args.offsets[at]), args.lengths[at]};
    }
}
