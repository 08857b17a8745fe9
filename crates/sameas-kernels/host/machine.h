// One launch of a kernel on the host: the threads of the running block, who may run, who waits for what.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "context.h"
#include "shim.h"

namespace shim {

enum class State { Ready, AtBarrier, InWarp, Returned };

struct Thread {
    Context context;
    State state;
    Site site;
    // What the thread wants of its warp, and the result.
    Op op;
    unsigned mask, operand, width;
    uint64_t value, result;
};

struct Launch {
    const Kernel* kernel;
    unsigned grid, block, shared;
    const void* args;
};

// The machine of one thread of the host; it keeps its stacks and buffers from launch to launch.
class Machine {
  public:
    // Runs all blocks; an empty string or what went wrong.
    std::string run(const Launch& launch, uint64_t seed);

    void barrier(Site site);
    uint64_t in_warp(Op op, unsigned mask, uint64_t value, unsigned operand, unsigned width, Site site);
    void step_aside();
    unsigned char* dynamic_shared() { return shared.data() + padding; }

  private:
    static void entry();
    // Ends the launch with a reason. The threads are abandoned where they are.
    [[noreturn]] void fail(const std::string& reason);
    uint64_t random();
    unsigned random_below(unsigned bound);
    void run_block(unsigned index);
    void fill_shared();
    bool shared_overrun();
    void choose();
    void pass_on();
    void make_ready(unsigned thread);
    bool all_in_warp(unsigned first, unsigned mask, Op op) const;
    void answer(unsigned first, unsigned mask);
    uint64_t equals(unsigned first, unsigned mask, uint64_t value) const;
    uint64_t shuffled(unsigned first, unsigned lane);
    std::string stuck() const;

    Launch launch{};
    std::string error;
    uint64_t state = 0;
    Stacks stacks;
    Context launcher;
    std::vector<Thread> threads;
    std::vector<unsigned> ready;
    // By warp, the lanes that wait in it.
    std::vector<unsigned> in_warps;
    unsigned running = 0, at_barrier = 0, returned = 0;
    // The next thread is mostly one of this number that became ready last.
    unsigned window = 0;
    std::vector<unsigned char> shared;
    size_t padding = 0;
};

// What every rendezvous calls is here, so that it is compiled into it.

// SplitMix64: any seed will do, and it is the same on every machine.
inline uint64_t Machine::random() {
    uint64_t z = state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

inline unsigned Machine::random_below(unsigned bound) { return static_cast<unsigned>((random() >> 32) * bound >> 32); }

inline void Machine::make_ready(unsigned thread) {
    threads[thread].state = State::Ready;
    ready.push_back(thread);
}

// Draws the next thread. A small window lets one warp run far ahead of the others, as it may on a GPU, where threads drawn
// from all would keep step with each other. One draw of eight is from all, so that nobody waits for ever.
inline void Machine::choose() {
    uint64_t drawn = random();
    unsigned all = static_cast<unsigned>(ready.size()), some = drawn % 8 != 0 && window < all ? window : all;
    unsigned at = all - 1 - static_cast<unsigned>((drawn >> 32) * some >> 32);
    running = ready[at];
    ready[at] = ready.back();
    ready.pop_back();
    threadIdx = {running, 0, 0};
}

// Gives the processor to a random thread that can run, or back to the launcher where there is none.
inline void Machine::pass_on() {
    unsigned self = running;
    if (!error.empty() || ready.empty()) {
        switch_context(threads[self].context, launcher);
        return;
    }
    choose();
    if (running != self) switch_context(threads[self].context, threads[running].context);
}

// "`__shfl_sync` (kernels/tiles.cu:12)"
std::string describe(Op op, Site site);
std::string describe(Site site);

}  // namespace shim
