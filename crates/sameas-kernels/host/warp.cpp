// What the lanes of a warp do together: the last lane to arrive computes everybody's result, before any lane can go on
// and ask for the next.
#include <cstdio>

#include "machine.h"

namespace shim {

static std::string hex(unsigned mask) {
    char text[16];
    std::snprintf(text, sizeof text, "0x%08x", mask);
    return text;
}

std::string describe(Site site) { return std::string(site.file) + ":" + std::to_string(site.line); }

std::string describe(Op op, Site site) {
    static const char* const NAMES[] = {"__syncwarp",      "__shfl_sync",   "__shfl_up_sync",
                                        "__shfl_down_sync", "__shfl_xor_sync", "__ballot_sync",
                                        "__any_sync",      "__all_sync",    "__match_any_sync"};
    return std::string(NAMES[static_cast<int>(op)]) + " (" + describe(site) + ")";
}

uint64_t Machine::in_warp(Op op, unsigned mask, uint64_t value, unsigned operand, unsigned width, Site site) {
    unsigned lane = running % 32, first = running - lane;
    unsigned there = launch.block - first >= 32 ? ~0u : (1u << (launch.block - first)) - 1;
    if (!(mask >> lane & 1)) fail(describe(op, site) + " has a mask, " + hex(mask) + ", without the lane itself");
    if (mask & ~there) fail(describe(op, site) + " names lanes the block does not have: " + hex(mask & ~there));
    if (width == 0 || width > 32 || (width & (width - 1)) != 0) {
        fail(describe(op, site) + " has a width that is no power of two up to 32");
    }
    Thread& self = threads[running];
    self.state = State::InWarp;
    self.site = site;
    self.op = op;
    self.mask = mask;
    self.value = value;
    self.operand = operand;
    self.width = width;
    unsigned& waiting = in_warps[first / 32];
    waiting |= 1u << lane;
    if ((waiting & mask) == mask && all_in_warp(first, mask, op)) {
        waiting &= ~mask;
        answer(first, mask);
        for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
            make_ready(first + static_cast<unsigned>(__builtin_ctz(rest)));
        }
    }
    pass_on();
    return self.result;
}

bool Machine::all_in_warp(unsigned first, unsigned mask, Op op) const {
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        const Thread& other = threads[first + static_cast<unsigned>(__builtin_ctz(rest))];
        if (other.state != State::InWarp || other.mask != mask || other.op != op) return false;
    }
    return true;
}

void Machine::answer(unsigned first, unsigned mask) {
    Op op = threads[running].op;
    if (op == Op::SyncWarp) return;
    unsigned votes = 0;
    if (op == Op::Ballot || op == Op::Any || op == Op::All) {
        for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
            unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
            votes |= threads[first + lane].value != 0 ? 1u << lane : 0;
        }
    }
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        Thread& self = threads[first + lane];
        switch (op) {
            case Op::Ballot: self.result = votes; break;
            case Op::Any: self.result = votes != 0; break;
            case Op::All: self.result = votes == mask; break;
            case Op::MatchAny: self.result = equals(first, mask, self.value); break;
            default: self.result = shuffled(first, lane);
        }
    }
}

// The lanes of a mask that have a value.
uint64_t Machine::equals(unsigned first, unsigned mask, uint64_t value) const {
    uint64_t lanes = 0;
    for (unsigned rest = mask; rest != 0; rest &= rest - 1) {
        unsigned lane = static_cast<unsigned>(__builtin_ctz(rest));
        if (threads[first + lane].value == value) lanes |= 1ull << lane;
    }
    return lanes;
}

// The value a lane gets by a shuffle. Past the ends of their part of the warp, up and down give the lane's own value,
// as on the device; what CUDA leaves undefined or wraps around is an error.
uint64_t Machine::shuffled(unsigned first, unsigned lane) {
    const Thread& self = threads[first + lane];
    unsigned start = lane & ~(self.width - 1), at = lane - start, by = self.operand;
    unsigned from = at;
    if (self.op == Op::Shuffle) from = by;
    if (self.op == Op::ShuffleXor) from = at ^ by;
    if (self.op == Op::ShuffleUp) from = by <= at ? at - by : at;
    if (self.op == Op::ShuffleDown) from = by < self.width - at ? at + by : at;
    auto who = [&] { return describe(self.op, self.site) + " of lane " + std::to_string(lane); };
    if (from >= self.width) {
        fail(who() + " is out of range: " + std::to_string(static_cast<int>(by)) + ", width " +
             std::to_string(self.width));
    }
    if (!(self.mask >> (start + from) & 1)) {
        fail(who() + " reads lane " + std::to_string(start + from) + ", which is not in its mask " + hex(self.mask));
    }
    return threads[first + start + from].value;
}

// Why no thread can run though some have not returned.
std::string Machine::stuck() const {
    std::string text = "deadlock: " + std::to_string(returned) + " of " + std::to_string(launch.block);
    text += " threads returned";
    for (const Thread& thread : threads) {
        if (thread.state != State::AtBarrier) continue;
        text += ", " + std::to_string(at_barrier) + " wait for all at __syncthreads (" + describe(thread.site) + ")";
        break;
    }
    for (unsigned i = 0; i < launch.block; ++i) {
        const Thread& self = threads[i];
        if (self.state != State::InWarp) continue;
        unsigned missing = 0;
        for (unsigned j = 0; j < 32; ++j) {
            if (!(self.mask >> j & 1)) continue;
            const Thread& other = threads[i / 32 * 32 + j];
            bool here = other.state == State::InWarp && other.mask == self.mask && other.op == self.op;
            missing |= here ? 0 : 1u << j;
        }
        return text + ", thread " + std::to_string(i) + " waits at " + describe(self.op, self.site) + " with mask " +
               hex(self.mask) + " for lanes " + hex(missing);
    }
    return text;
}

}  // namespace shim
