// The scheduler of lockstep.h. A schedule is an order of the threads and the moment when others see
// what a thread wrote to threadgroup memory: at once, or, as the language allows, only after a
// barrier that names that memory. A result that depends on the schedule is a race.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <vector>

#include "fiber.h"
#include "lockstep.h"

namespace lockstep {
namespace {

constexpr size_t kStackBytes = 256 * 1024;
constexpr size_t kChunk = 256;           // bytes compared at a time
constexpr unsigned kMemThreadgroup = 2;  // metal::mem_flags::mem_threadgroup

enum class State { kReady, kMeeting, kAtSimdBarrier, kAtBarrier, kDone };

struct Thread {
  Place place;
  State state = State::kReady;
  const char* operation = "";
  unsigned flags = 0;
  unsigned meetings = 0;
  void* at = nullptr;                // where it goes on
  std::vector<unsigned char> view;   // threadgroup memory as this thread sees it (late schedules)
  std::vector<unsigned char> dirty;  // the bytes that it wrote since others last could see them
};

struct Variable {
  unsigned char* bytes = nullptr;
  size_t size = 0;
};

struct Simdgroup {
  unsigned char values[2][kLanes * kValueBytes];  // of this meeting and of the one before
  unsigned count = 0;                             // of lanes
};

struct Device {
  std::vector<Thread> threads;
  std::vector<Simdgroup> simdgroups;
  std::vector<Variable> variables;
  std::vector<std::vector<unsigned char>> stacks;  // of the threads, kept between threadgroups
  Thread* running = nullptr;
  void* scheduler = nullptr;  // where that goes on
  bool late = false;
  int seed = 0;
  std::mt19937 random;
  void (*body)(void**) = nullptr;
  void** buffers = nullptr;
} gpu;

size_t shared_bytes() {
  size_t total = 0;
  for (const Variable& variable : gpu.variables) total += variable.size;
  return total;
}

void copy_in(const std::vector<unsigned char>& view) {
  size_t at = 0;
  for (const Variable& variable : gpu.variables) {
    if (at < view.size()) std::memcpy(variable.bytes, &view[at], variable.size);
    at += variable.size;
  }
}

// Notes what the thread wrote while it ran.
void copy_out(Thread& t) {
  t.view.resize(shared_bytes(), 0xff);
  t.dirty.resize(shared_bytes(), 0);
  size_t at = 0;
  for (const Variable& variable : gpu.variables) {
    for (size_t i = 0; i < variable.size; i += kChunk) {
      const size_t bytes = std::min(kChunk, variable.size - i);
      unsigned char* seen = &t.view[at + i];
      if (!std::memcmp(seen, variable.bytes + i, bytes)) continue;
      for (size_t k = 0; k < bytes; ++k) t.dirty[at + i + k] |= seen[k] != variable.bytes[i + k];
      std::memcpy(seen, variable.bytes + i, bytes);
    }
    at += variable.size;
  }
}

// Shows what each of `members` wrote to the others of them.
void publish(const std::vector<Thread*>& members, bool to_all) {
  if (!gpu.late) return;
  const size_t size = shared_bytes();
  for (Thread* t : members) {
    t->view.resize(size, 0xff);
    t->dirty.resize(size, 0);
  }
  std::vector<std::pair<size_t, unsigned char>> written;
  for (Thread* t : members) {
    for (size_t i = 0; i < size; ++i) {
      if (t->dirty[i]) written.push_back({i, t->view[i]});
    }
    if (to_all) std::fill(t->dirty.begin(), t->dirty.end(), 0);
  }
  for (Thread* t : members) {
    for (auto [i, value] : written) t->view[i] = value;
  }
}

void enter() {
  gpu.body(gpu.buffers);
  gpu.running->state = State::kDone;
  lockstep_jump(&gpu.running->at, gpu.scheduler);
}

void resume(Thread& t) {
  gpu.running = &t;
  if (gpu.late) {
    t.view.resize(shared_bytes(), 0xff);
    copy_in(t.view);
  }
  lockstep_jump(&gpu.scheduler, t.at);
  if (gpu.late) copy_out(t);
}

bool all_at(const std::vector<Thread*>& members, State state) {
  return std::all_of(members.begin(), members.end(),
                     [state](Thread* t) { return t->state == state; });
}

void release(const std::vector<Thread*>& members, bool publishes, bool to_all) {
  for (Thread* t : members) {
    if (std::strcmp(t->operation, members[0]->operation) || t->flags != members[0]->flags) {
      fail("threads that should meet are at another operation than ", t->operation);
    }
    t->state = State::kReady;
  }
  if (publishes && members[0]->flags & kMemThreadgroup) publish(members, to_all);
}

// Runs a SIMD-group until each of its threads is done or waits for the whole threadgroup.
void run_simdgroup(const std::vector<Thread*>& members) {
  for (;;) {
    bool moved = false;
    for (Thread* t : members) {
      if (t->state != State::kReady) continue;
      resume(*t);
      moved = true;
    }
    if (all_at(members, State::kMeeting)) {
      release(members, false, false);
    } else if (all_at(members, State::kAtSimdBarrier)) {
      release(members, true, false);
    } else if (!moved) {
      return;
    }
  }
}

// The SIMD-groups and the threads of each, in the order of the schedule.
std::vector<std::vector<Thread*>> arranged() {
  std::vector<std::vector<Thread*>> groups((gpu.threads.size() + kLanes - 1) / kLanes);
  for (size_t i = 0; i < gpu.threads.size(); ++i) groups[i / kLanes].push_back(&gpu.threads[i]);
  const auto reorder = [](auto& list) {
    if (gpu.seed == 1) std::reverse(list.begin(), list.end());
    if (gpu.seed > 1) std::shuffle(list.begin(), list.end(), gpu.random);
  };
  for (auto& members : groups) reorder(members);
  reorder(groups);
  return groups;
}

void run_threads() {
  std::vector<Thread*> all;
  for (Thread& t : gpu.threads) all.push_back(&t);
  while (!all_at(all, State::kDone)) {
    for (const auto& members : arranged()) run_simdgroup(members);
    if (all_at(all, State::kAtBarrier)) {
      release(all, true, true);
      continue;
    }
    const auto stuck =
        std::find_if(all.begin(), all.end(), [](Thread* t) { return t->state != State::kDone; });
    if (stuck != all.end()) fail("only some threads reach ", (*stuck)->operation);
  }
}

Place place_of(Size at, Size group, Size grid, Size size) {
  Place p;
  p.thread_position_in_threadgroup = at;
  p.threadgroup_position_in_grid = group;
  p.thread_position_in_grid = {group.x * size.x + at.x, group.y * size.y + at.y,
                               group.z * size.z + at.z};
  p.threads_per_grid = grid;
  p.threads_per_threadgroup = size;
  p.threadgroups_per_grid = {(grid.x + size.x - 1) / size.x, (grid.y + size.y - 1) / size.y,
                             (grid.z + size.z - 1) / size.z};
  return p;
}

// As Metal does with a grid that is not made of whole threadgroups: the last ones are smaller.
void run_threadgroup(Size group, Size grid, Size size) {
  gpu.threads.clear();
  for (unsigned z = 0; z < size.z; ++z) {
    for (unsigned y = 0; y < size.y; ++y) {
      for (unsigned x = 0; x < size.x; ++x) {
        Thread t;
        t.place = place_of({x, y, z}, group, grid, size);
        const Size in = t.place.thread_position_in_grid;
        if (in.x < grid.x && in.y < grid.y && in.z < grid.z) gpu.threads.push_back(t);
      }
    }
  }
  const unsigned count = gpu.threads.size();
  while (gpu.stacks.size() < count) gpu.stacks.emplace_back(kStackBytes);
  gpu.simdgroups.assign((count + kLanes - 1) / kLanes, Simdgroup());
  for (unsigned i = 0; i < count; ++i) {
    Thread& t = gpu.threads[i];
    t.place.thread_index_in_threadgroup = i;
    t.place.thread_index_in_simdgroup = i % kLanes;
    t.place.simdgroup_index_in_threadgroup = i / kLanes;
    t.place.simdgroups_per_threadgroup = gpu.simdgroups.size();
    t.place.threads_per_simdgroup = kLanes;
    gpu.simdgroups[i / kLanes].count = i % kLanes + 1;
    t.at = prepared(gpu.stacks[i].data(), kStackBytes, enter);
  }
  for (Variable& variable : gpu.variables) std::memset(variable.bytes, 0xff, variable.size);
  run_threads();
}

void stop(State state, const char* operation, unsigned flags) {
  gpu.running->state = state;
  gpu.running->operation = operation;
  gpu.running->flags = flags;
  lockstep_jump(&gpu.running->at, gpu.scheduler);
}

}  // namespace

const Place& here() { return gpu.running->place; }

unsigned lane() { return gpu.running->place.thread_index_in_simdgroup; }

bool is_there(unsigned lane) {
  return lane < gpu.simdgroups[gpu.running->place.simdgroup_index_in_threadgroup].count;
}

const unsigned char* meet(const char* operation, const void* value, size_t bytes) {
  Thread& t = *gpu.running;
  Simdgroup& group = gpu.simdgroups[t.place.simdgroup_index_in_threadgroup];
  unsigned char* values = group.values[t.meetings++ % 2];
  std::memcpy(values + lane() * kValueBytes, value, bytes);
  stop(State::kMeeting, operation, bytes);
  return values;
}

void barrier(Scope scope, unsigned flags) {
  const bool whole = scope == kThreadgroup;
  stop(whole ? State::kAtBarrier : State::kAtSimdBarrier,
       whole ? "threadgroup_barrier" : "simdgroup_barrier", flags);
}

void* threadgroup_memory(unsigned index, size_t bytes) {
  if (index >= gpu.variables.size()) gpu.variables.resize(index + 1);
  Variable& variable = gpu.variables[index];
  if (!variable.bytes) {  // from malloc, so that the sanitizer guards its ends
    variable.bytes = static_cast<unsigned char*>(std::malloc(bytes));
    variable.size = bytes;
    std::memset(variable.bytes, 0xff, bytes);
    if (shared_bytes() > kThreadgroupBytes) fail("too much threadgroup memory");
  }
  return variable.bytes;
}

void launch(const Launch& launch, int seed, bool late, void** buffers) {
  gpu.seed = seed;
  gpu.late = late;
  gpu.random.seed(seed);
  gpu.body = launch.body;
  gpu.buffers = buffers;
  const Size groups =
      place_of({0, 0, 0}, {0, 0, 0}, launch.grid, launch.size).threadgroups_per_grid;
  for (unsigned z = 0; z < groups.z; ++z) {
    for (unsigned y = 0; y < groups.y; ++y) {
      for (unsigned x = 0; x < groups.x; ++x) {
        run_threadgroup({x, y, z}, launch.grid, launch.size);
      }
    }
  }
}

void fail(const char* what, const char* which) {
  std::fprintf(stderr, "lockstep: %s%s\n", what, which);
  std::exit(3);
}

}  // namespace lockstep
