// The selective scan over a sequence:
//   h[t] = exp(dt[t] A) h[t-1] + dt[t] u[t] B[t],   y[t] = (C[t] . h[t] + D u[t]) silu(z[t]).
// Four lanes share a channel: a tile of 16 states is four to each. A SIMD-group has 8 channels and
// takes them through a chunk of 8 tokens at a time, for which its lanes put before each other what
// they loaded: B and C, and each channel's steps.
//   In order (CHUNKS = 1): a SIMD-group takes chunk after chunk.
//   Side by side (CHUNKS > 1): a threadgroup's SIMD-groups take as many chunks of the same
//   channels. Each finds what its chunk does to a state, h -> decay h + end; these are folded one
//   into the next; then each goes through its chunk again, from the state that it really begins
//   with.
#include "chunk.h"

// What the threads of a threadgroup share: float4s, one for each thread but for the first.
struct Shared {
  threadgroup float4* running;  // [tiles][slots]: the states before the block, four of a lane
  threadgroup float4* decay;    // what a chunk does to a lane's states,
  threadgroup float4* end;      // then the states that it begins with
  threadgroup float4* B;        // of a SIMD-group's chunk: [tokens][quarters of the tile]
  threadgroup float4* C;
  threadgroup float4* steps;  // [channels][lanes]: dt and dt u of a lane's own two tokens
};

inline float added_product(float y, float4 a, float4 b) {
  y = metal::fma(a.x, b.x, y);
  y = metal::fma(a.y, b.y, y);
  y = metal::fma(a.z, b.z, y);
  return metal::fma(a.w, b.w, y);
}

// Takes four states through a chunk, and adds C . h to y.
template <typename Rows>
inline float4 in_order(float4 h, float4 rate, Steps steps, Rows rows, thread float (&y)[kTokens]) {
#pragma unroll
  for (uint i = 0; i < kTokens; ++i) {
    h = metal::fma(metal::fast::exp2(steps.dt[i] * rate), h, steps.driven[i] * rows.b(i));
    y[i] = added_product(y[i], h, rows.c(i));
  }
  return h;
}

// Folds what the chunks do to the states of the threadgroup's channels: `end` becomes the states
// that each chunk begins with, `running` those after the last. All is read before any is written,
// so that the reads do not wait for each other.
template <int CHUNKS, uint COLUMNS>
inline void fold(threadgroup float* running, threadgroup float* decay, threadgroup float* end,
                 uint column) {
  if (column >= COLUMNS) return;
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

// The same for chunks side by side. `running` holds the states of the tile before the block.
template <int CHUNKS, typename Rows>
inline void side_by_side(float4 rate, Steps steps, Rows rows, Shared shared,
                         threadgroup float4* running, uint thread_index,
                         thread float (&y)[kTokens]) {
  float4 decay[kTokens], driven[kTokens];
  float4 h;
  float total = 0.0f;
#pragma unroll
  for (uint i = 0; i < kTokens; ++i) {
    decay[i] = metal::fast::exp2(steps.dt[i] * rate);
    driven[i] = steps.driven[i] * rows.b(i);
    h = i == 0 ? driven[0] : metal::fma(decay[i], h, driven[i]);
    total += steps.dt[i];
  }
  shared.decay[thread_index] = metal::fast::exp2(total * rate);
  shared.end[thread_index] = h;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  fold<CHUNKS, 4 * kSimdWidth>(reinterpret_cast<threadgroup float*>(running),
                               reinterpret_cast<threadgroup float*>(shared.decay),
                               reinterpret_cast<threadgroup float*>(shared.end), thread_index);
  threadgroup_barrier(mem_flags::mem_threadgroup);
  h = shared.end[thread_index];
#pragma unroll
  for (uint i = 0; i < kTokens; ++i) {
    h = metal::fma(decay[i], h, driven[i]);
    y[i] = added_product(y[i], h, rows.c(i));
  }
}

template <int CHUNKS, typename Rows>
inline void scan_tile(float4 rate, Steps steps, Rows rows, Shared shared,
                      threadgroup float4* running, uint thread_index, thread float (&y)[kTokens]) {
  if (CHUNKS > 1) {
    side_by_side<CHUNKS>(rate, steps, rows, shared, running, thread_index, y);
  } else {
    running[thread_index] = in_order(running[thread_index], rate, steps, rows, y);
  }
}

// Each lane has the sums over its states of all tokens: adds them over the four lanes. A lane is
// left with those of its own tokens, in the first places.
inline void add_lanes(thread float (&y)[kTokens], uint quarter) {
#pragma unroll
  for (uint of = kLanes / 2; of >= 1; of /= 2) {
    const uint count = kOwn * of;
    const bool upper = quarter & of;
#pragma unroll
    for (uint i = 0; i < kTokens / 2; ++i) {
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
          int CHUNKS, int THREADS, typename U, typename Delta, typename Rates, typename PB,
          typename PC, typename Skip, typename Z, typename Bias, typename Initial, typename Lengths,
          typename Y, typename Strides>
inline void selective_scan(U u, Strides u_strides, Delta delta, Strides delta_strides, Rates A,
                           PB B, Strides B_strides, PC C, Strides C_strides, Skip D, Z z,
                           Strides z_strides, Bias delta_bias, Initial initial_state,
                           Lengths lengths, device Y* y, device float* final_state, uint length,
                           uint channels, Shared shared, uint3 group, uint thread_index) {
  constexpr uint kSlots = CHUNKS > 1 ? kSimdWidth : THREADS;  // of running states, four in each
  constexpr uint kTiles = (STATES + kTile - 1) / kTile;
  constexpr uint kBlock = CHUNKS * kTokens;
  const uint slot = CHUNKS > 1 ? thread_index % kSimdWidth : thread_index;
  const uint place = (group.x * kSlots + slot) / kLanes;
  const uint channel = min(place, channels - 1);  // one that is not there does another's work
  const uint lane = thread_index % kSimdWidth;
  const uint quarter = lane % kLanes;
  const uint chunk = CHUNKS > 1 ? thread_index / kSimdWidth * kTokens : 0;  // in the block
  const uint first_own = chunk + quarter * kOwn;
  const uint first_row = chunk + lane / kLanes;
  const uint end = RAGGED ? min(length, static_cast<uint>(lengths[group.y])) : length;
  const uint last = max(end, 1u) - 1;
  const float bias = static_cast<float>(delta_bias[channel]);
  const float skip = static_cast<float>(D[channel]);
  const Series<U> us = channel_of(u, u_strides, group.y, channel);
  const Series<Delta> deltas = channel_of(delta, delta_strides, group.y, channel);
  const Series<Z> zs = channel_of(z, z_strides, group.y, channel);
  const Series<PB> Bs = states_of<B_GROUPS>(B, B_strides, group.y, channel, channels);
  const Series<PC> Cs = states_of<C_GROUPS>(C, C_strides, group.y, channel, channels);
  const Series<Rates> rates = {A + channel * STATES, 0, 1};
  const size_t states = (static_cast<size_t>(group.y) * channels + channel) * STATES;
  const Series<Initial> initial = {initial_state + states, 0, 1};
  const bool wide_B = is_wide<STATES>(Bs), wide_C = is_wide<STATES>(Cs);
  device Y* own_y = y + (static_cast<size_t>(group.y) * length + first_own) * channels + channel;
  const uint simd_first = thread_index - lane;
  const SharedRows rows = {shared.B + simd_first + quarter, shared.C + simd_first + quarter};

  if (thread_index < kSlots) {
    for (uint tile = 0; tile < kTiles; ++tile) {
      const uint state = tile * kTile + 4 * quarter;
      shared.running[tile * kSlots + slot] = widened(states_at<STATES>(initial, false, 0, state));
    }
  }
  const float4 first_rate = kLog2E * widened(states_at<STATES>(rates, false, 0, 4 * quarter));
  auto next = read_own(us, deltas, zs, first_own, last);
  auto next_B = states_at<STATES>(Bs, wide_B, min(first_row, last), 4 * quarter);
  auto next_C = states_at<STATES>(Cs, wide_C, min(first_row, last), 4 * quarter);
  uint start = 0;
  for (; start < end; start += kBlock) {
    const auto own = next;
    next = read_own(us, deltas, zs, start + kBlock + first_own, last);
    const float4 prepared = own_steps<SOFTPLUS>(own, bias, start + first_own, end);
    Steps steps;
    float sums[kTokens] = {};
    for (uint tile = 0; tile < kTiles; ++tile) {
      const uint state = tile * kTile + 4 * quarter;
      simdgroup_barrier(mem_flags::mem_threadgroup);  // all have read what was there before
      if (tile == 0) shared.steps[thread_index] = prepared;
      shared.B[thread_index] = widened(next_B);
      shared.C[thread_index] = widened(next_C);
      simdgroup_barrier(mem_flags::mem_threadgroup);
      if (tile == 0) steps = all_steps(shared.steps + thread_index - quarter);
      const bool more = tile + 1 < kTiles;
      const uint following = min(first_row + start + (more ? 0 : kBlock), last);
      const uint next_state = more ? state + kTile : 4 * quarter;
      next_B = states_at<STATES>(Bs, wide_B, following, next_state);
      next_C = states_at<STATES>(Cs, wide_C, following, next_state);
      const float4 rate =
          kTiles > 1 ? kLog2E * widened(states_at<STATES>(rates, false, 0, state)) : first_rate;
      threadgroup float4* const running = shared.running + tile * kSlots;
      if (B_GROUPS == 1 && C_GROUPS == 1) {
        scan_tile<CHUNKS>(rate, steps, rows, shared, running, thread_index, sums);
      } else {
        const OwnRows<STATES, PB, PC> of_lane = {Bs, Cs, start + chunk, last, state};
        scan_tile<CHUNKS>(rate, steps, of_lane, shared, running, thread_index, sums);
      }
    }
    add_lanes(sums, quarter);
#pragma unroll
    for (uint i = 0; i < kOwn; ++i) {
      const uint t = start + first_own + i;
      if (t >= length || place >= channels) continue;
      const float value = (sums[i] + skip * static_cast<float>(own.u[i])) *
                          (GATED ? silu(static_cast<float>(own.z[i])) : 1.0f);
      own_y[i * channels] = static_cast<Y>(t < end ? value : 0.0f);
    }
    own_y += kBlock * channels;
  }
  if (place >= channels) return;
  for (; start < length; start += kBlock) {
    for (uint i = 0; i < kOwn && start + first_own + i < length; ++i) {
      own_y[i * channels] = static_cast<Y>(0.0f);
    }
    own_y += kBlock * channels;
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
