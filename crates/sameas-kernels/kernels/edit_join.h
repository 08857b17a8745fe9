// Deletion variants of texts, and what becomes of texts that share one: the twin of
// sameas-joins/src/candidates/edit_join, where the arguments are.
//
// The hash of a text is the sum of (code + 1) x key(position). A deletion at i, as the first of a text, adds A[i], and one
// at j, as the second, B[j]: what stood before keeps its position, what comes after moves one place to the left. So a
// variant costs one or two additions. Each distinct variant is made once, by its leftmost embedding: no block of deleted
// characters contains the kept one that follows it.
#pragma once

#include "consume_layout.h"
#include "edit_join_layout.h"
#include "text.h"

namespace edits {

// The key of a position: the finaliser of Stafford's variant 13 over a counter.
DEVICE u64 key_of(u32 position) {
    u64 x = (position + 1ull) * 0x9E3779B97F4A7C15ull;
    x = (x ^ x >> 30) * 0xBF58476D1CE4E5B9ull;
    x = (x ^ x >> 27) * 0x94D049BB133111EBull;
    return x ^ x >> 31;
}

DEVICE u64 term(u32 code, u32 position) { return (code + 1ull) * key_of(position); }

// The slice of a hash: by range of its upper half.
DEVICE u32 slice_of(u64 hash, u32 slices) { return static_cast<u32>((hash >> 32) * slices >> 32); }

// The key of an entry: of a sum of products the lowest bits are the weakest.
DEVICE u32 tag_of(u64 hash, u32 mask) { return static_cast<u32>(hash >> 16) & mask; }

// The code of a character.
DEVICE u32 character(const Texts& texts, text::Text of, u32 at) {
    const u32* group = of.words + (at / 32) * texts.stride;
    u32 code = 0;
    for (u32 plane = 0; plane < texts.planes; ++plane) code |= (group[plane] >> (at % 32) & 1u) << plane;
    return code;
}

// What a warp keeps of the text whose variants it makes.
struct VariantRoom {
    u64 first[EDIT_JOIN_LONGEST];
    u64 second[EDIT_JOIN_LONGEST];
    u32 characters[EDIT_JOIN_LONGEST];
};

// A text in the memory of a warp.
struct VariantText {
    VariantRoom& room;
    u32 length;
    // The hash of the text with none, one or two of its first characters deleted.
    u64 whole[EDIT_JOIN_DELETIONS + 1];

    DEVICE VariantText(VariantRoom& room, const Texts& texts, u32 code) : room(room), length(0), whole{0, 0, 0} {
        const text::Text of = text::text_at(texts, code);
        length = of.length;
        for (u32 begin = 0; begin < length; begin += 32) add(texts, of, begin + lane());
        __syncwarp(FULL);
    }

    // Whether a deletion at `at` may be followed by its next character.
    DEVICE bool is_alone(u32 at) const { return at + 1 == length || room.characters[at + 1] != room.characters[at]; }

    // Whether deletions at i < j make a variant in its leftmost way.
    DEVICE bool is_leftmost(u32 i, u32 j) const {
        if (i + 1 < j) return is_alone(i) && is_alone(j);
        return is_alone(j) && (j + 1 == length || room.characters[j + 1] != room.characters[i]);
    }

    DEVICE u64 without(u32 i) const { return room.first[i] + whole[1]; }
    DEVICE u64 without(u32 i, u32 j) const { return room.first[i] + room.second[j] + whole[2]; }

  private:
    // The sum over the lanes before this one; `all` becomes that over all lanes.
    DEVICE static u64 sum_before(u64 value, u64& all) {
        u64 sum = value;
        for (u32 step = 1; step < 32; step *= 2) {
            const u64 below = __shfl_up_sync(FULL, sum, step);
            if (lane() >= step) sum += below;
        }
        all = __shfl_sync(FULL, sum, 31);
        return sum - value;
    }

    // One character for each lane: its sums, with what the characters before have left in `whole`.
    DEVICE void add(const Texts& texts, text::Text of, u32 at) {
        const bool valid = at < length;
        const u32 code = valid ? character(texts, of, at) : 0;
        u64 before[EDIT_JOIN_DELETIONS + 1], own[EDIT_JOIN_DELETIONS + 1], all;
        for (u32 shift = 0; shift <= EDIT_JOIN_DELETIONS; ++shift) {
            own[shift] = valid && at >= shift ? term(code, at - shift) : 0;
            before[shift] = whole[shift] + sum_before(own[shift], all);
            whole[shift] += all;
        }
        if (!valid) return;
        room.characters[at] = code;
        room.first[at] = before[0] - (before[1] + own[1]);
        room.second[at] = before[1] - (before[2] + own[2]);
    }
};

// Hands every variant that is wanted of a text to `take(valid, hash)`, one for each lane, all lanes together.
template <class Take> DEVICE void each_variant(const VariantText& of, u32 deletions, Take take) {
    if (deletions & 1) take(lane() == 0, of.whole[0]);
    if (deletions & 2) {
        for (u32 begin = 0; begin < of.length; begin += 32) {
            const u32 i = begin + lane();
            const bool valid = i < of.length && of.is_alone(i);
            take(valid, valid ? of.without(i) : 0);
        }
    }
    if (deletions & 4) {
        const u32 pairs = of.length * (of.length - (of.length != 0)) / 2;
        // Pairs i < j are numbered by j, then by i; a lane goes on by 32.
        u32 i = lane(), j = 1;
        for (u32 begin = 0; begin < pairs; begin += 32, i += 32) {
            while (i >= j) i -= j++;
            const bool valid = begin + lane() < pairs && of.is_leftmost(i, j);
            take(valid, valid ? of.without(i, j) : 0);
        }
    }
}

// One place of a search for a common variant: characters kept and their hash, and what is left of both texts.
struct CommonPlace {
    u32 a, b, kept;
    u64 hash;
};

// The hash of one common subsequence of `length` characters of two texts, always the same one: where the next characters
// agree both are kept, and where they differ one of them is deleted, that of `x` first. Where there is none, 0.
static DEVICE_CALL u64 common_variant(const Texts& texts, text::Text x, text::Text y, u32 length) {
    // Each deletion leaves one place to come back to, and there are at most as many as both texts lack.
    CommonPlace places[2 * EDIT_JOIN_DELETIONS + 1];
    u32 waiting = 1;
    places[0] = {0, 0, 0, 0};
    while (waiting > 0) {
        CommonPlace now = places[--waiting];
        while (now.kept < length && now.a < x.length && now.b < y.length) {
            if (text::characters_differ(texts, x, now.a, y, now.b)) break;
            now.hash += term(character(texts, x, now.a), now.kept);
            now.kept += 1, now.a += 1, now.b += 1;
        }
        if (now.kept == length) return now.hash;
        if (now.kept + (y.length - now.b) > length) places[waiting++] = {now.a, now.b + 1, now.kept, now.hash};
        if (now.kept + (x.length - now.a) > length) places[waiting++] = {now.a + 1, now.b, now.kept, now.hash};
    }
    return 0;
}

// Meetings that wait for their distance to be computed.
struct MeetingQueue {
    u32 left[64];
    u32 right[64];
    u32 key[64];
    u32 unused[64];
};
static_assert(sizeof(MeetingQueue) == 1024, "shared with Rust");

}  // namespace edits

// The consumer of meetings: two entries of one key. A pair of texts may meet at several keys; the one of their designated
// common variant reports it. An entry that is there twice, because two variants of a text have one key, counts once.
struct EditJoinMeet {
    static constexpr u32 SHARED = sizeof(edits::MeetingQueue);
    static constexpr u32 COLUMNS = 0;
    static constexpr u32 ROOM = 1;

    const EditJoinRun& run;
    edits::MeetingQueue& queue;
    u32 waiting; // the same in all lanes
    u64 meetings, verified, found;

    DEVICE EditJoinMeet(const Consume& consume, unsigned char* shared)
        : run(*consume.edit_join), queue(*reinterpret_cast<edits::MeetingQueue*>(shared)), waiting(0), meetings(0),
          verified(0), found(0) {}

    DEVICE void take(bool valid, u32 l, u32 r) {
        u32 a = 0, b = 0, key = 0;
        meetings += valid;
        if (valid) {
            key = run.keys[l];
            const u32 left = run.slots[l], right = run.slots[r];
            valid = left != right && !is_repeated(l, left, key) && !is_repeated(r, right, key);
            a = run.codes[left], b = run.codes[right];
            valid = valid && text_admits(run.test, run.texts, a, b);
        }
        const u32 lanes = __ballot_sync(FULL, valid);
        if (valid) {
            const u32 place = waiting + __popc(lanes & lanes_below());
            queue.left[place] = a, queue.right[place] = b, queue.key[place] = key;
        }
        waiting += __popc(lanes);
        __syncwarp(FULL);
        if (waiting >= 32) drain(32);
    }

    DEVICE void finish() {
        if (waiting > 0) drain(waiting);
        meetings = warp_sum(meetings), verified = warp_sum(verified), found = warp_sum(found);
        if (lane() == 0 && meetings) {
            atomicAdd(run.counters, meetings);
            atomicAdd(run.counters + 1, verified);
            atomicAdd(run.counters + 2, found);
        }
    }

  private:
    // Whether the entry before is of the same text: entries of a key are in the order of their slots.
    DEVICE bool is_repeated(u32 entry, u32 slot, u32 key) const {
        return entry > 0 && run.slots[entry - 1] == slot && run.keys[entry - 1] == key;
    }

    // Decides the last `count` of the queue, one for each lane.
    DEVICE_CALL void drain(u32 count) {
        const bool mine = lane() < count;
        const u32 place = waiting - count + lane();
        const u32 a = mine ? queue.left[place] : 0, b = mine ? queue.right[place] : 0, key = mine ? queue.key[place] : 0;
        waiting -= count;
        __syncwarp(FULL);
        const bool holds = mine && text_holds(run.test, run.texts, a, b) == TEXT_TRUE && is_designated(a, b, key);
        verified += mine, found += holds;
        edits_write(run.out, holds, a, b);
    }

    // Whether the designated common variant of two texts lies in this slice and has this key.
    DEVICE bool is_designated(u32 a, u32 b, u32 key) const {
        const text::Text x = text::text_at(run.texts, a), y = text::text_at(run.texts, b);
        const u32 longer = max(x.length, y.length);
        const u64 hash = edits::common_variant(run.texts, x, y, longer - run.most[longer]);
        return edits::tag_of(hash, run.tag_mask) == key && edits::slice_of(hash, run.slices) == run.slice;
    }

  public:
    // Writes the pairs of some lanes, as far as there is room.
    static DEVICE void edits_write(const TextOut& out, bool mine, u32 a, u32 b) {
        const u32 lanes = __ballot_sync(FULL, mine);
        if (!lanes) return;
        u64 begin = 0;
        if (lane() == 0) begin = atomicAdd(out.cursor, static_cast<u64>(__popc(lanes)));
        const u64 place = __shfl_sync(FULL, begin, 0) + __popc(lanes & lanes_below());
        if (!mine || place >= out.capacity) return;
        out.left[place] = a;
        out.right[place] = b;
    }
};
