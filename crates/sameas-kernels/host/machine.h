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
    std::vector<unsigned char> shared;
    size_t padding = 0;
};

// "`__shfl_sync` (kernels/tiles.cu:12)"
std::string describe(Op op, Site site);
std::string describe(Site site);

}  // namespace shim
