// Turns the characters of texts into bit planes: a warp takes 32 characters, and a vote on each bit is a word.
#include "text_layout.h"

template <class Unit> DEVICE void text_planes(const TextPlanes& args) {
    const Unit* units = static_cast<const Unit*>(args.units);
    for (u64 code = thread_in_grid() / 32; code < args.count; code += threads_in_grid() / 32) {
        const TextHead head = args.heads[code];
        u64 begin = 0;
        if (args.begins != nullptr) begin = args.begins[code];
        else if (code != 0) begin = args.ends[code - 1];
        u32* words = args.words + static_cast<u64>(head.offset) * 4;
        for (u32 first = 0; first < head.length; first += 32, words += args.stride) {
            const u32 at = first + lane(), unit = at < head.length ? units[begin + at] : 0;
            for (u32 plane = 0; plane < args.stride; ++plane) {
                const u32 word = __ballot_sync(FULL, unit >> plane & 1);
                if (lane() == plane) words[plane] = word;
            }
        }
    }
}

KERNEL(text_planes_u8, TextPlanes) { text_planes<u8>(args); }
KERNEL(text_planes_u16, TextPlanes) { text_planes<u16>(args); }
KERNEL(text_planes_u32, TextPlanes) { text_planes<u32>(args); }
