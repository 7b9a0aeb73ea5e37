// The selective scan over a sequence:
//   h[t] = exp(dt[t] A) h[t-1] + dt[t] u[t] B[t],   y[t] = (C[t] . h[t] + D u[t]) silu(z[t]).
// Four lanes share a channel: a tile of 16 states is four to each. A chunk is TOKENS tokens of it.
//   In order (CHUNKS = 1): a SIMD-group has 8 channels and takes chunk after chunk.
//   Side by side (CHUNKS > 1): a threadgroup's SIMD-groups take as many chunks of the same
//   channels. Each finds what its chunk does to a state, h -> decay h + end; these are folded one
//   into the next; then each goes through its chunk again, from the state that it really begins
//   with.
#include "series.h"
#include "ssm_math.h"

constexpr constant uint kSimdWidth = 32;
constexpr constant uint kLanes = 4;  // of a channel

// What the threads of a threadgroup share: float4s, a lane's four states in each.
struct Shared {
  threadgroup float4* running;  // [tiles][slots]: the states before the block
  threadgroup float4* decay;    // [threads]: what a chunk does to a state,
  threadgroup float4* end;      // [threads]: then the states that it begins with
};

inline float added_product(float y, float4 a, float4 b) {
  y = metal::fma(a.x, b.x, y);
  y = metal::fma(a.y, b.y, y);
  y = metal::fma(a.z, b.z, y);
  return metal::fma(a.w, b.w, y);
}

// What a lane sees to, as it is stored: OWN tokens of its channel, one after another.
template <int OWN, typename U, typename Delta, typename Z>
struct Own {
  U u[OWN];
  Delta delta[OWN];
  Z z[OWN];
};

template <int OWN, typename U, typename Delta, typename Z>
inline auto read_own(Series<U> u, Series<Delta> delta, Series<Z> z, uint first, uint last)
    -> Own<OWN, decltype(value_at(u.first)), decltype(value_at(delta.first)),
           decltype(value_at(z.first))> {
  Own<OWN, decltype(value_at(u.first)), decltype(value_at(delta.first)),
      decltype(value_at(z.first))>
      own;
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
    const uint t = min(first + i, last);
    own.u[i] = value_at(u.at(t));
    own.delta[i] = value_at(delta.at(t));
    own.z[i] = value_at(z.at(t));
  }
  return own;
}

// What the four lanes of a channel know of a chunk.
template <int TOKENS>
struct Chunk {
  float dt[TOKENS];
  float driven[TOKENS];  // dt u
  float total;           // of dt
};

// Each lane prepares its own tokens, then all four learn of all. A token past the row's end has a
// step of 0, which leaves the state as it is.
template <int TOKENS, bool SOFTPLUS, typename Own>
inline Chunk<TOKENS> shared_chunk(Own own, float bias, uint first, uint end, ushort leader) {
  constexpr int OWN = TOKENS / kLanes;
  Chunk<TOKENS> chunk;
  float dt[OWN], driven[OWN];
  float total = 0.0f;
#pragma unroll
  for (int i = 0; i < OWN; ++i) {
    const bool lives = first + i < end;
    dt[i] = lives ? step_size<SOFTPLUS>(static_cast<float>(own.delta[i]), bias) : 0.0f;
    driven[i] = lives ? dt[i] * static_cast<float>(own.u[i]) : 0.0f;
    total += dt[i];
  }
  total += simd_shuffle_xor(total, static_cast<ushort>(1));
  chunk.total = total + simd_shuffle_xor(total, static_cast<ushort>(2));
#pragma unroll
  for (int i = 0; i < TOKENS; ++i) {
    const ushort from = leader + i / OWN;
    chunk.dt[i] = simd_shuffle(dt[i % OWN], from);
    chunk.driven[i] = simd_shuffle(driven[i % OWN], from);
  }
  return chunk;
}

// B and C of a chunk that begins at token `first`. Where all of it is there and the loads are
// wide, PLAIN; otherwise tokens from `last` on read that one: they drive nothing.
template <int STATES, bool PLAIN, typename PB, typename PC>
struct Rows {
  Series<PB> B;
  Series<PC> C;
  uint first;
  uint last;
  uint state;

  template <typename P>
  inline float4 of(Series<P> series, uint i) const {
    const uint t = PLAIN ? first + i : min(first + i, last);
    return load_states<STATES, PLAIN>(series.at(t), series.state, state);
  }
  inline float4 b(uint i) const { return of(B, i); }
  inline float4 c(uint i) const { return of(C, i); }
};

// Takes four states through a chunk, and adds C . h to y.
template <int TOKENS, typename Rows>
inline float4 in_order(float4 h, float4 rate, Chunk<TOKENS> chunk, Rows rows,
                       thread float (&y)[TOKENS]) {
#pragma unroll
  for (int i = 0; i < TOKENS; ++i) {
    h = metal::fma(metal::exp2(chunk.dt[i] * rate), h, chunk.driven[i] * rows.b(i));
    y[i] = added_product(y[i], h, rows.c(i));
  }
  return h;
}

// Folds what the chunks do to the states of the threadgroup's channels: `end` becomes the states
// that each chunk begins with, `running` those after the last. All is read before any is written,
// so that the reads do not wait for each other.
template <int CHUNKS, uint COLUMNS>
inline void fold(threadgroup float* running, threadgroup float* decay, threadgroup float* end,
                 uint thread_index) {
  for (uint column = thread_index; column < COLUMNS; column += CHUNKS * COLUMNS / 4) {
    float decays[CHUNKS], ends[CHUNKS];
    float h = running[column];
#pragma unroll
    for (uint i = 0; i < CHUNKS; ++i) {
      decays[i] = decay[i * COLUMNS + column];
      ends[i] = end[i * COLUMNS + column];
    }
#pragma unroll
    for (uint i = 0; i < CHUNKS; ++i) {
      end[i * COLUMNS + column] = h;
      h = metal::fma(decays[i], h, ends[i]);
    }
    running[column] = h;
  }
}

// The same for chunks side by side. `running` holds the states of the tile before the block.
template <int TOKENS, int CHUNKS, uint COLUMNS, typename Rows>
inline void side_by_side(float4 rate, Chunk<TOKENS> chunk, Rows rows, Shared shared,
                         threadgroup float4* running, uint thread_index,
                         thread float (&y)[TOKENS]) {
  float4 decay[TOKENS], driven[TOKENS];
  float4 h = float4(0.0f);
#pragma unroll
  for (int i = 0; i < TOKENS; ++i) {
    decay[i] = metal::exp2(chunk.dt[i] * rate);
    driven[i] = chunk.driven[i] * rows.b(i);
    h = metal::fma(decay[i], h, driven[i]);
  }
  shared.decay[thread_index] = metal::exp2(chunk.total * rate);
  shared.end[thread_index] = h;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  fold<CHUNKS, COLUMNS>(reinterpret_cast<threadgroup float*>(running),
                        reinterpret_cast<threadgroup float*>(shared.decay),
                        reinterpret_cast<threadgroup float*>(shared.end), thread_index);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  h = shared.end[thread_index];
#pragma unroll
  for (int i = 0; i < TOKENS; ++i) {
    h = metal::fma(decay[i], h, driven[i]);
    y[i] = added_product(y[i], h, rows.c(i));
  }
}

// All the states of a channel through a chunk.
template <int STATES, int TOKENS, int CHUNKS, uint SLOTS, typename Rates, typename Rows>
inline void scan_tiles(Rates A, float4 rate, Chunk<TOKENS> chunk, Rows rows, Shared shared,
                       uint thread_index, thread float (&y)[TOKENS]) {
  for (uint tile = 0; tile < (STATES + kTile - 1) / kTile; ++tile) {
    rows.state = tile * kTile + 4 * (thread_index % kLanes);
    if (STATES > kTile) rate = kLog2E * load_states<STATES, false>(A, 1, rows.state);
    threadgroup float4* const running = shared.running + tile * SLOTS;
    if (CHUNKS > 1) {
      side_by_side<TOKENS, CHUNKS, 4 * SLOTS>(rate, chunk, rows, shared, running, thread_index, y);
    } else {
      running[thread_index] = in_order(running[thread_index], rate, chunk, rows, y);
    }
  }
}

// Each lane has the sums over its states of all tokens: adds them over the four lanes. A lane is
// left with those of its own tokens, in the first places.
template <int TOKENS>
inline void add_lanes(thread float (&y)[TOKENS], uint quarter) {
#pragma unroll
  for (int of = kLanes / 2; of >= 1; of /= 2) {
    const int count = TOKENS / kLanes * of;
    const bool upper = quarter & of;
#pragma unroll
    for (int i = 0; i < TOKENS / 2; ++i) {
      if (i >= count) break;  // so that the bound is a constant, and y stays in registers
      const float given = upper ? y[i] : y[i + count];
      const float kept = upper ? y[i + count] : y[i];
      y[i] = kept + simd_shuffle_xor(given, static_cast<ushort>(of));
    }
  }
}

// u, delta, z, y (b, l, d); A (d, n); B, C as of states_of; D, delta_bias (d,); initial_state,
// final_state (b, d, n); lengths (b,) where RAGGED. Threadgroup (x, y): the x-th channels of row y.
template <int STATES, int B_GROUPS, int C_GROUPS, bool SOFTPLUS, bool GATED, bool RAGGED,
          int TOKENS, int CHUNKS, int THREADS, typename U, typename Delta, typename Rates,
          typename PB, typename PC, typename Skip, typename Z, typename Bias, typename Initial,
          typename Lengths, typename Y, typename Strides>
inline void selective_scan(U u, Strides u_strides, Delta delta, Strides delta_strides, Rates A,
                           PB B, Strides B_strides, PC C, Strides C_strides, Skip D, Z z,
                           Strides z_strides, Bias delta_bias, Initial initial_state,
                           Lengths lengths, device Y* y, device float* final_state, uint length,
                           uint channels, Shared shared, uint3 group, uint thread_index) {
  constexpr uint kSlots = CHUNKS > 1 ? kSimdWidth : THREADS;  // of running states, four in each
  constexpr uint kTiles = (STATES + kTile - 1) / kTile;
  constexpr uint kBlock = CHUNKS * TOKENS;
  constexpr int kOwn = TOKENS / kLanes;
  const uint slot = CHUNKS > 1 ? thread_index % kSimdWidth : thread_index;
  const uint place = (group.x * kSlots + slot) / kLanes;
  const uint channel = min(place, channels - 1);  // one that is not there does another's work
  const uint quarter = thread_index % kLanes;
  const uint first_own = (CHUNKS > 1 ? thread_index / kSimdWidth * TOKENS : 0) + quarter * kOwn;
  const uint end = RAGGED ? min(length, static_cast<uint>(lengths[group.y])) : length;
  const uint last = max(end, 1u) - 1;
  const size_t states = (static_cast<size_t>(group.y) * channels + channel) * STATES;
  const float bias = static_cast<float>(delta_bias[channel]);
  const float skip = static_cast<float>(D[channel]);
  const Series<U> us = channel_of(u, u_strides, group.y, channel);
  const Series<Delta> deltas = channel_of(delta, delta_strides, group.y, channel);
  const Series<Z> zs = channel_of(z, z_strides, group.y, channel);
  const Series<PB> Bs = states_of<B_GROUPS>(B, B_strides, group.y, channel, channels);
  const Series<PC> Cs = states_of<C_GROUPS>(C, C_strides, group.y, channel, channels);
  const Rates rates = A + channel * STATES;
  const bool wide = is_wide<STATES>(Bs) && is_wide<STATES>(Cs);
  device Y* const ys = y + static_cast<size_t>(group.y) * length * channels + channel;

  if (thread_index < kSlots) {
    for (uint tile = 0; tile < kTiles; ++tile) {
      shared.running[tile * kSlots + slot] =
          load_states<STATES, false>(initial_state + states, 1, tile * kTile + 4 * quarter);
    }
  }
  auto next = read_own<kOwn>(us, deltas, zs, first_own, last);
  const float4 rate = kLog2E * load_states<STATES, false>(rates, 1, 4 * quarter);
  uint start = 0;
  for (; start < end; start += kBlock) {
    const auto own = next;
    const uint first = start + first_own;
    next = read_own<kOwn>(us, deltas, zs, first + kBlock, last);
    const Chunk<TOKENS> chunk =
        shared_chunk<TOKENS, SOFTPLUS>(own, bias, first, end, thread_index % kSimdWidth - quarter);
    float sums[TOKENS] = {};
    const uint from = first - quarter * kOwn;
    if (wide && start + kBlock <= end) {
      const Rows<STATES, true, PB, PC> rows = {Bs, Cs, from, last, 0};
      scan_tiles<STATES, TOKENS, CHUNKS, kSlots>(rates, rate, chunk, rows, shared, thread_index,
                                                 sums);
    } else {
      const Rows<STATES, false, PB, PC> rows = {Bs, Cs, from, last, 0};
      scan_tiles<STATES, TOKENS, CHUNKS, kSlots>(rates, rate, chunk, rows, shared, thread_index,
                                                 sums);
    }
    add_lanes<TOKENS>(sums, quarter);
#pragma unroll
    for (int i = 0; i < kOwn; ++i) {
      const uint t = first + i;
      if (t >= length || place >= channels) continue;
      const float value = (sums[i] + skip * static_cast<float>(own.u[i])) *
                          (GATED ? silu(static_cast<float>(own.z[i])) : 1.0f);
      ys[static_cast<size_t>(t) * channels] = static_cast<Y>(t < end ? value : 0.0f);
    }
  }
  if (place >= channels) return;
  for (; start < length; start += kBlock) {
    for (uint t = start + first_own; t < min(start + first_own + kOwn, length); ++t) {
      ys[static_cast<size_t>(t) * channels] = static_cast<Y>(0.0f);
    }
  }
  if (thread_index >= kSlots) return;
  for (uint tile = 0; tile < kTiles; ++tile) {
    const float4 h = shared.running[tile * kSlots + slot];
    for (uint i = 0; i < 4; ++i) {
      const uint state = tile * kTile + 4 * quarter + i;
      if (state < STATES) final_state[states + state] = h[i];
    }
  }
}
