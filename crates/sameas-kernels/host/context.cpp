// The switch of contexts: by hand on x86-64, where it is a few instructions; elsewhere by ucontext, which also saves
// the signal mask and so calls the system each time.
#include "context.h"

#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstring>

namespace shim {

#ifdef SHIM_BY_HAND

// Pushes the registers that a call preserves, changes the stack and pops those of the other context.
#if defined(__APPLE__)
#define SHIM_SWITCH "_sameas_shim_switch"
#else
#define SHIM_SWITCH "sameas_shim_switch"
#endif
asm(".text\n"
    ".p2align 4\n"
    ".globl " SHIM_SWITCH "\n" SHIM_SWITCH ":\n"
    "    pushq %rbp\n"
    "    pushq %rbx\n"
    "    pushq %r12\n"
    "    pushq %r13\n"
    "    pushq %r14\n"
    "    pushq %r15\n"
    "    movq %rsp, (%rdi)\n"
    "    movq %rsi, %rsp\n"
    "    popq %r15\n"
    "    popq %r14\n"
    "    popq %r13\n"
    "    popq %r12\n"
    "    popq %rbx\n"
    "    popq %rbp\n"
    "    ret\n");
extern "C" void sameas_shim_switch(void** from, void* to);

void prepare(Context& context, unsigned char* stack, size_t bytes, void (*entry)()) {
    // From above: a return address of zero, where `entry` expects its caller's, the address the switch returns to,
    // and six registers to pop. `entry` thus starts with the alignment that a call would have left.
    void** top = reinterpret_cast<void**>(stack + bytes);
    std::memset(top - 8, 0, 8 * sizeof(void*));
    top[-2] = reinterpret_cast<void*>(entry);
    context.stack_pointer = top - 8;
}

void switch_context(Context& from, Context& to) { sameas_shim_switch(&from.stack_pointer, to.stack_pointer); }

#else

void prepare(Context& context, unsigned char* stack, size_t bytes, void (*entry)()) {
    getcontext(&context.saved);
    context.saved.uc_stack.ss_sp = stack;
    context.saved.uc_stack.ss_size = bytes;
    context.saved.uc_link = nullptr;
    makecontext(&context.saved, entry, 0);
}

void switch_context(Context& from, Context& to) { swapcontext(&from.saved, &to.saved); }

#endif

static size_t page() { return static_cast<size_t>(sysconf(_SC_PAGESIZE)); }

unsigned char* Stacks::get(size_t fiber) {
    unsigned char*& stack = stacks[fiber];
    if (stack == nullptr) {
        void* made = mmap(nullptr, page() + BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (made == MAP_FAILED) return nullptr;
        mprotect(made, page(), PROT_NONE);
        stack = static_cast<unsigned char*>(made) + page();
    }
    return stack;
}

Stacks::~Stacks() {
    for (unsigned char* stack : stacks) {
        if (stack != nullptr) munmap(stack - page(), page() + BYTES);
    }
}

}  // namespace shim
