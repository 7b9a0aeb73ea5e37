// The selective scan over a sequence, as an associative scan of affine maps h -> a h + b:
//   h[t] = exp(dt[t] A) h[t-1] + dt[t] u[t] B[t],   y[t] = (C[t] . h[t] + D u[t]) silu(z[t]).
// A threadgroup takes four channels of one row of the batch through time, a block after another.
// A thread folds its tokens of a block into one map; the SIMD-group scans the maps of its lanes;
// threadgroup memory bridges the SIMD-groups and carries the state to the next block.
#include "ssm_math.h"

constexpr constant uint kChannels = 4;    // of a threadgroup: the components of a float4
constexpr constant uint kTokens = 4;      // of a thread, in a block
constexpr constant uint kSimdWidth = 32;  // lanes of a SIMD-group
constexpr constant uint kSimdgroups = 4;  // of a threadgroup
constexpr constant uint kThreads = kSimdWidth * kSimdgroups;
constexpr constant uint kBlock = kTokens * kThreads;

// The map h -> a h + b of a stretch of tokens, for each channel.
struct Stretch {
  float4 a;
  float4 b;
};

inline Stretch joined(Stretch first, Stretch next) {
  return {next.a * first.a, next.a * first.b + next.b};
}

inline Stretch shuffled_up(Stretch x, ushort lanes) {
  return {simd_shuffle_up(x.a, lanes), simd_shuffle_up(x.b, lanes)};
}

// The stretch from lane 0 to this lane.
inline Stretch simd_scan(Stretch x, uint lane) {
  for (ushort lanes = 1; lanes < kSimdWidth; lanes *= 2) {
    const Stretch before = shuffled_up(x, lanes);
    if (lane >= lanes) x = joined(before, x);
  }
  return x;
}

// What the threads of a threadgroup share.
struct Shared {
  threadgroup float4* a;  // [2][kSimdgroups], what each SIMD-group does to a state: h -> a h + b;
  threadgroup float4* b;  // odd and even states take turns
  threadgroup float4* state;  // [STATES], at the start of the block
};

// Which thread of the threadgroup this is.
struct Seat {
  uint index;
  uint simdgroup;
  uint lane;
};

// The tokens and channels of a thread in a block.
struct Span {
  uint row;       // of the batch
  uint first;     // token of the thread, from the start of the row
  uint end;       // of the row: from here on tokens leave the state as it is
  uint length;    // of the rows
  uint channel;   // the first of the four
  uint count;     // of the four that exist
  uint channels;  // of the layer

  inline size_t token(uint i) const { return static_cast<size_t>(row) * length + first + i; }
  inline size_t at(uint i) const { return token(i) * channels + channel; }
  inline bool lives(uint i) const { return first + i < end; }
};

struct Tokens {
  float4 dt[kTokens];
  float4 driven[kTokens];  // dt u
  float4 sum[kTokens];     // C . h, over the states so far
};

// Four values, `stride` apart; 0 for those beyond `count`.
template <typename P>
inline float4 load(P values, size_t stride, uint count) {
  float4 x = float4(0.0f);
  for (uint i = 0; i < kChannels; ++i) {
    if (i < count) x[i] = static_cast<float>(values[i * stride]);
  }
  return x;
}

// B or C of token i at one state, for the four channels.
template <int STATES, int GROUPS, typename P>
inline float4 load_rows(P rows, Span span, uint i, uint state) {
  if (GROUPS == 1) return float4(static_cast<float>(rows[span.token(i) * STATES + state]));
  float4 x = float4(0.0f);
  for (uint c = 0; c < kChannels; ++c) {
    if (c >= span.count) continue;
    const size_t row = row_of<GROUPS>(span.token(i), span.channel + c, span.channels);
    x[c] = static_cast<float>(rows[row * STATES + state]);
  }
  return x;
}

template <bool SOFTPLUS, typename U, typename Delta>
inline Tokens read_tokens(U u, Delta delta, float4 bias, Span span) {
  Tokens tokens;
  for (uint i = 0; i < kTokens; ++i) {
    // A token past the end changes nothing: its map is the identity.
    tokens.dt[i] = tokens.driven[i] = tokens.sum[i] = float4(0.0f);
    if (!span.lives(i)) continue;
    const float4 steps = load(delta + span.at(i), 1, span.count);
    for (uint c = 0; c < kChannels; ++c) tokens.dt[i][c] = step_size<SOFTPLUS>(steps[c], bias[c]);
    tokens.driven[i] = tokens.dt[i] * load(u + span.at(i), 1, span.count);
  }
  return tokens;
}

// Takes one state through the block: adds C . h to the tokens' sums, leaves the state at its end.
template <int STATES, int B_GROUPS, int C_GROUPS, typename PB, typename PC>
inline void scan_state(PB B, PC C, float4 rate, uint state, thread Tokens& tokens, Span span,
                       Shared shared, Seat seat) {
  Stretch each[kTokens];
  Stretch upto = {float4(1.0f), float4(0.0f)};
  for (uint i = 0; i < kTokens; ++i) {
    each[i] = {metal::exp2(tokens.dt[i] * rate), float4(0.0f)};
    if (span.lives(i)) {
      each[i].b = tokens.driven[i] * load_rows<STATES, B_GROUPS>(B, span, i, state);
    }
    upto = joined(upto, each[i]);
  }
  upto = simd_scan(upto, seat.lane);
  const Stretch before = shuffled_up(upto, 1);
  const uint turn = state % 2 * kSimdgroups;
  if (seat.lane == kSimdWidth - 1) {
    shared.a[turn + seat.simdgroup] = upto.a;
    shared.b[turn + seat.simdgroup] = upto.b;
  }
  float4 last = shared.state[state];
  threadgroup_barrier(mem_flags::mem_threadgroup);

  float4 h = last;
  for (uint g = 0; g < kSimdgroups; ++g) {
    if (g == seat.simdgroup) h = last;
    last = shared.a[turn + g] * last + shared.b[turn + g];
  }
  if (seat.index == 0) shared.state[state] = last;
  if (seat.lane > 0) h = before.a * h + before.b;
  for (uint i = 0; i < kTokens; ++i) {
    if (!span.lives(i)) continue;
    h = each[i].a * h + each[i].b;
    tokens.sum[i] += h * load_rows<STATES, C_GROUPS>(C, span, i, state);
  }
}

template <bool GATED, typename U, typename Z, typename Y>
inline void write_tokens(Tokens tokens, U u, Z z, float4 skip, device Y* y, Span span) {
  for (uint i = 0; i < kTokens && span.first + i < span.length; ++i) {
    for (uint c = 0; c < span.count; ++c) {
      const size_t at = span.at(i) + c;
      float value = 0.0f;
      if (span.lives(i)) {
        value = tokens.sum[i][c] + skip[c] * static_cast<float>(u[at]);
        if (GATED) value *= silu(static_cast<float>(z[at]));
      }
      y[at] = static_cast<Y>(value);
    }
  }
}

// u, delta, z, y (b, l, d); A (d, n); B, C (b, l, groups, n) or (d, n); D, delta_bias (d,);
// initial_state, final_state (b, d, n); lengths (b,). Threadgroup (x, y): channels 4x.., row y.
template <int STATES, int B_GROUPS, int C_GROUPS, bool SOFTPLUS, bool GATED, typename U,
          typename Delta, typename Rates, typename PB, typename PC, typename Skip, typename Z,
          typename Bias, typename Initial, typename Lengths, typename Y>
inline void selective_scan(U u, Delta delta, Rates A, PB B, PC C, Skip D, Z z, Bias delta_bias,
                           Initial initial_state, Lengths lengths, device Y* y,
                           device float* final_state, uint length, uint channels, Shared shared,
                           uint3 group, Seat seat) {
  const uint channel = group.x * kChannels;
  const uint count = min(kChannels, channels - channel);
  const uint end = min(length, static_cast<uint>(lengths[group.y]));
  const size_t states = (static_cast<size_t>(group.y) * channels + channel) * STATES;
  const float4 bias = load(delta_bias + channel, 1, count);
  const float4 skip = load(D + channel, 1, count);
  for (uint s = seat.index; s < STATES; s += kThreads) {
    shared.state[s] = load(initial_state + states + s, STATES, count);
  }
  threadgroup_barrier(mem_flags::mem_threadgroup);

  for (uint start = 0; start < length; start += kBlock) {
    const uint first = start + seat.index * kTokens;
    const Span span = {group.y, first, end, length, channel, count, channels};
    Tokens tokens = read_tokens<SOFTPLUS>(u, delta, bias, span);
    for (uint s = 0; s < STATES; ++s) {
      const float4 rate = kLog2E * load(A + channel * STATES + s, STATES, count);
      scan_state<STATES, B_GROUPS, C_GROUPS>(B, C, rate, s, tokens, span, shared, seat);
    }
    write_tokens<GATED>(tokens, u, z, skip, y, span);
    threadgroup_barrier(mem_flags::mem_threadgroup);
  }

  for (uint s = seat.index; s < STATES; s += kThreads) {
    for (uint c = 0; c < count; ++c) final_state[states + c * STATES + s] = shared.state[s][c];
  }
}
