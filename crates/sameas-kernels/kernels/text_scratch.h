// Words that a thread works with: its own, or, for texts that would take too many of these, those of a slot.
//
// Slots lie in memory that a test has for them. A thread takes one for as long as it compares two texts; where others have
// all that it tries, the host decides the pair. So no thread waits, and few slots serve texts of any length. Word i of all
// slots lie side by side, so that lanes that compare texts in step read neighbouring words.
#pragma once

#include "text_layout.h"

namespace text {

// Words of a thread itself.
template <u32 N> struct OwnWords {
    u64 words[N];

    DEVICE u64& operator[](u32 at) { return words[at]; }
};

// Slots that a thread tries.
constexpr u32 SLOT_TRIES = 8;

// The words of a slot, while a thread has it.
struct SlotWords {
    const TextTest& test;
    u32 slot;
    bool is_taken;

    // Takes a slot of at least `words` words, if there is one.
    DEVICE SlotWords(const TextTest& test, u32 words) : test(test), slot(0), is_taken(false) {
        if (test.slots == 0 || words > test.slot_words) return;
        slot = static_cast<u32>(thread_in_grid() % test.slots);
        for (u32 tries = 0; tries < SLOT_TRIES && !is_taken; ++tries) {
            if (tries > 0) slot = slot + 1 == test.slots ? 0 : slot + 1;
            is_taken = atomicExch(test.taken + slot, 1u) == 0;
        }
    }

    DEVICE u64& operator[](u32 at) { return test.scratch[static_cast<u64>(at) * test.slots + slot]; }

    // Gives it back.
    DEVICE void give_back() {
        __threadfence();
        atomicExch(test.taken + slot, 0u);
    }
};

}  // namespace text
