// Running blocks: random orders, shared memory full of garbage, and the search for what went wrong.
#include "machine.h"

#include <algorithm>
#include <cstring>

namespace shim {

// Bytes after the dynamic shared memory that must stay as they were filled.
static constexpr size_t FENCE = 256;

static thread_local Machine* current = nullptr;

std::string Machine::run(const Launch& what, uint64_t seed) {
    launch = what;
    state = seed;
    error.clear();
    current = this;
    patience = 1 + random_below(16);
    window = random() % 2 == 0 ? launch.block : 1 + random_below(64);
    gridDim = {launch.grid, 1, 1};
    blockDim = {launch.block, 1, 1};
    std::vector<unsigned> order(launch.grid);
    for (unsigned i = 0; i < launch.grid; ++i) {
        unsigned j = random_below(i + 1);
        order[i] = order[j];
        order[j] = i;
    }
    for (unsigned i = 0; i < launch.grid && error.empty(); ++i) run_block(order[i]);
    current = nullptr;
    return error;
}

void Machine::run_block(unsigned index) {
    blockIdx = {index, 0, 0};
    threads.resize(launch.block);
    ready.clear();
    in_warps.assign((launch.block + 31) / 32, 0);
    at_barrier = returned = 0;
    fill_shared();
    for (unsigned i = 0; i < launch.block; ++i) {
        unsigned char* stack = stacks.get(i);
        if (stack == nullptr) {
            error = "no memory for the stacks of the threads";
            return;
        }
        prepare(threads[i].context, stack, Stacks::bytes(i), entry);
        make_ready(i);
    }
    // The launcher is not one of the threads: it goes on when none of them can.
    choose();
    switch_context(launcher, threads[running].context);
    if (error.empty() && returned < launch.block) error = stuck();
    if (error.empty() && shared_overrun()) error = "the block wrote past its dynamic shared memory";
    if (!error.empty()) {
        error = "kernel `" + std::string(launch.kernel->name) + "`, block " + std::to_string(index) + ": " + error;
    }
}

// Every thread starts here. The launch is abandoned where it fails, so a fiber holds nothing that must be given back.
void Machine::entry() {
    Machine& machine = *current;
    machine.launch.kernel->call(machine.launch.args);
    machine.threads[machine.running].state = State::Returned;
    ++machine.returned;
    machine.pass_on();
    __builtin_unreachable();
}

void Machine::step_aside() {
    patience = 1 + random_below(16);
    make_ready(running);
    pass_on();
}

void Machine::fail(const std::string& reason) {
    error = "thread " + std::to_string(running) + ": " + reason;
    pass_on();
    __builtin_unreachable();
}

void Machine::barrier(Site site) {
    threads[running].site = site;
    threads[running].state = State::AtBarrier;
    if (++at_barrier == launch.block) {
        at_barrier = 0;
        for (unsigned i = 0; i < launch.block; ++i) {
            Site other = threads[i].site;
            if (other.line != site.line || (other.file != site.file && std::strcmp(other.file, site.file) != 0)) {
                fail("divergent barrier: some threads wait at " + describe(site) + ", thread " + std::to_string(i) +
                     " at " + describe(other));
            }
        }
        for (unsigned i = 0; i < launch.block; ++i) make_ready(i);
    }
    pass_on();
}

// Dynamic shared memory starts with any bytes on a GPU, so it does here; a fence after it shows writes past its end.
void Machine::fill_shared() {
    shared.resize(launch.shared + FENCE + 128);
    padding = (128 - reinterpret_cast<uintptr_t>(shared.data()) % 128) % 128;
    uint64_t noise = random();
    unsigned char* bytes = dynamic_shared();
    for (size_t i = 0; i < launch.shared; i += sizeof noise) {
        noise = noise * 6364136223846793005ull + 1442695040888963407ull;
        std::memcpy(bytes + i, &noise, std::min<size_t>(sizeof noise, launch.shared - i));
    }
    std::fill_n(bytes + launch.shared, FENCE, static_cast<unsigned char>(0xa5));
}

bool Machine::shared_overrun() {
    const unsigned char* fence = dynamic_shared() + launch.shared;
    return std::any_of(fence, fence + FENCE, [](unsigned char byte) { return byte != 0xa5; });
}

void block_barrier(Site site) { current->barrier(site); }
uint64_t warp_rendezvous(Op op, unsigned mask, uint64_t value, unsigned operand, unsigned width, Site site) {
    return current->in_warp(op, mask, value, operand, width, site);
}
void step_aside() { current->step_aside(); }
unsigned char* dynamic_shared() { return current->dynamic_shared(); }

}  // namespace shim
