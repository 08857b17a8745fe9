// Contexts of execution with stacks of their own, and the switch between two of them: what a fiber is made of.
#pragma once

#include <cstddef>

// SAMEAS_UCONTEXT chooses the portable way where the quick one would do, to test it.
#if defined(__x86_64__) && !defined(_WIN32) && !defined(SAMEAS_UCONTEXT)
#define SHIM_BY_HAND
#else
#include <ucontext.h>
#endif

namespace shim {

#ifdef SHIM_BY_HAND
// All that must outlive a switch is on the stack; the switch is a call, so the caller has saved the other registers.
struct Context {
    void* stack_pointer = nullptr;
};
#else
struct Context {
    ucontext_t saved;
};
#endif

// Makes a context that calls `entry` on a stack when it is first switched to. `entry` must never return.
void prepare(Context& context, unsigned char* stack, size_t bytes, void (*entry)());

// Saves where the caller is and goes on where the other context was.
void switch_context(Context& from, Context& to);

// Stacks for fibers, made when first needed and kept: touching fresh memory is what costs. A page below each that
// cannot be touched turns an overflow into a fault, not into a neighbour's wrong answer.
class Stacks {
  public:
    Stacks() = default;
    Stacks(const Stacks&) = delete;
    Stacks& operator=(const Stacks&) = delete;
    ~Stacks();
    // The lower end of the stack of a fiber; null if there is no memory.
    unsigned char* get(size_t fiber);
    // Its bytes. They differ, so that the upper ends of a thousand stacks do not share a few sets of the cache.
    static constexpr size_t bytes(size_t fiber) { return BYTES - fiber % 61 * 192; }

  private:
    static constexpr size_t BYTES = 128 << 10;
    static constexpr size_t FIBERS = 1024;
    unsigned char* stacks[FIBERS] = {};
};

}  // namespace shim
