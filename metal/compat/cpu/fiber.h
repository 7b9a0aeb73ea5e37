// A stack of its own for each thread of the kernel, and the jump from one to another. ucontext
// would do, but asks the system to save the signal mask at every jump, of which there are millions.
#pragma once

#include <cstddef>
#include <cstdint>

#ifdef __APPLE__
#define LOCKSTEP_SYMBOL(NAME) "_" #NAME
#else
#define LOCKSTEP_SYMBOL(NAME) #NAME
#endif

// Keeps the registers that a call must keep, and the stack, at *from; goes on at `to`.
extern "C" void lockstep_jump(void** from, void* to);

#if defined(__x86_64__)
asm(".text\n.globl " LOCKSTEP_SYMBOL(lockstep_jump) "\n" LOCKSTEP_SYMBOL(lockstep_jump) ":\n"
    "push %rbp\npush %rbx\npush %r12\npush %r13\npush %r14\npush %r15\n"
    "mov %rsp, (%rdi)\nmov %rsi, %rsp\n"
    "pop %r15\npop %r14\npop %r13\npop %r12\npop %rbx\npop %rbp\nret\n");
constexpr size_t kReturn = 6, kFrame = 8;  // words: the return address above six registers
#elif defined(__aarch64__)
asm(".text\n.balign 4\n.globl " LOCKSTEP_SYMBOL(lockstep_jump) "\n"
    LOCKSTEP_SYMBOL(lockstep_jump) ":\n"
    "sub sp, sp, #160\nstp x19, x20, [sp]\nstp x21, x22, [sp, #16]\nstp x23, x24, [sp, #32]\n"
    "stp x25, x26, [sp, #48]\nstp x27, x28, [sp, #64]\nstp x29, x30, [sp, #80]\n"
    "stp d8, d9, [sp, #96]\nstp d10, d11, [sp, #112]\nstp d12, d13, [sp, #128]\n"
    "stp d14, d15, [sp, #144]\nmov x9, sp\nstr x9, [x0]\nmov sp, x1\n"
    "ldp x19, x20, [sp]\nldp x21, x22, [sp, #16]\nldp x23, x24, [sp, #32]\n"
    "ldp x25, x26, [sp, #48]\nldp x27, x28, [sp, #64]\nldp x29, x30, [sp, #80]\n"
    "ldp d8, d9, [sp, #96]\nldp d10, d11, [sp, #112]\nldp d12, d13, [sp, #128]\n"
    "ldp d14, d15, [sp, #144]\nadd sp, sp, #160\nret\n");
constexpr size_t kReturn = 11, kFrame = 20;
#else
#error "lockstep knows how to switch stacks on x86_64 and aarch64"
#endif

namespace lockstep {

// What to jump to so that `entry`, which never returns, starts at the top of this stack.
inline void* prepared(unsigned char* stack, size_t bytes, void (*entry)()) {
  const uintptr_t top = reinterpret_cast<uintptr_t>(stack + bytes) & ~uintptr_t{15};
  void** frame = reinterpret_cast<void**>(top) - kFrame;
  for (size_t i = 0; i < kFrame; ++i) frame[i] = nullptr;
  frame[kReturn] = reinterpret_cast<void*>(entry);
  return frame;
}

}  // namespace lockstep
