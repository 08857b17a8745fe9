// Words that a thread works with: its own, or, for texts that would take too many of these, those of a slot.
//
// Slots lie in memory that a test has for them. A thread takes one for as long as it compares two texts, and goes round
// until one is free: who has one waits for nobody, and threads of a warp make progress by themselves (from compute
// capability 7.0 on), so it always ends. Few slots serve texts of any length that way, and whether a pair needs the host
// does not depend on what other threads do. Word i of all slots lie side by side, so that lanes that compare texts in step
// read neighbouring words.
#pragma once

#include "text_layout.h"

namespace text {

// Words of a thread itself.
template <u32 N> struct OwnWords {
    u64 words[N];

    DEVICE u64& operator[](u32 at) { return words[at]; }
};

// The words of a slot, while a thread has it.
struct SlotWords {
    const TextTest& test;
    u32 slot;
    bool is_taken;

    // Takes a slot, if there are any and they have as many words.
    DEVICE SlotWords(const TextTest& test, u32 words) : test(test), slot(0), is_taken(false) {
        if (test.slots == 0 || words > test.slot_words) return;
        slot = static_cast<u32>(thread_in_grid() % test.slots);
        while (atomicExch(test.taken + slot, 1u) != 0) slot = slot + 1 == test.slots ? 0 : slot + 1;
        is_taken = true;
    }

    DEVICE u64& operator[](u32 at) { return test.scratch[static_cast<u64>(at) * test.slots + slot]; }

    // Gives it back.
    DEVICE void give_back() {
        __threadfence();
        atomicExch(test.taken + slot, 0u);
    }
};

}  // namespace text
