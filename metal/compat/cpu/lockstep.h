// The device that the CPU plays: a threadgroup's threads as fibers on one core, in an order of our
// choosing, that stop at every SIMD-group operation and barrier.
#pragma once

#include <cstddef>
#include <cstdint>

namespace lockstep {

constexpr unsigned kLanes = 32;
constexpr size_t kValueBytes = 16;
constexpr size_t kThreadgroupBytes = 32768;

enum Scope { kThreadgroup, kSimdgroup };

struct Size {
  unsigned x, y, z;
};

// Where the running thread is.
struct Place {
  Size thread_position_in_grid, thread_position_in_threadgroup, threadgroup_position_in_grid;
  Size threads_per_threadgroup, threadgroups_per_grid, threads_per_grid;
  unsigned thread_index_in_threadgroup, thread_index_in_simdgroup;
  unsigned simdgroup_index_in_threadgroup, simdgroups_per_threadgroup, threads_per_simdgroup;
};

const Place& here();
unsigned lane();
bool is_there(unsigned lane);

// All lanes of the SIMD-group give a value; returns those of the 32 lanes, kValueBytes apart.
const unsigned char* meet(const char* operation, const void* value, size_t bytes);
void barrier(Scope scope, unsigned flags);

// The variable number `index` of the kernel in threadgroup memory: one for all of its threads.
void* threadgroup_memory(unsigned index, size_t bytes);

template <typename T>
T& shared(unsigned index) {
  return *static_cast<T*>(threadgroup_memory(index, sizeof(T)));
}

// A kernel's call: `body` is run as every thread of the grid.
struct Launch {
  Size grid, size;  // in threads: of all, and of a threadgroup
  void (*body)(void** buffers);
};

// One schedule: 0 takes the threads in order, 1 backwards, another seed shuffles them. With `late`,
// what a thread writes to threadgroup memory is seen only after a barrier that says so.
void launch(const Launch& launch, int seed, bool late, void** buffers);

[[noreturn]] void fail(const char* what, const char* which = "");

}  // namespace lockstep
