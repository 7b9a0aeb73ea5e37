// What the lanes of a SIMD-group know of a chunk: each loads a part of it and puts that before the
// others.
#pragma once

#include "series.h"
#include "ssm_math.h"

constexpr constant uint kSimdWidth = 32;
constexpr constant uint kLanes = 4;                     // of a channel
constexpr constant uint kTokens = kSimdWidth / kLanes;  // of a chunk: a lane loads a row's quarter
constexpr constant uint kOwn = kTokens / kLanes;        // tokens whose steps a lane prepares

// What a lane sees to, as it is stored: two tokens of its channel, one after another.
template <typename U, typename Delta, typename Z>
struct Own {
  U u[kOwn];
  Delta delta[kOwn];
  Z z[kOwn];
};

template <typename U, typename Delta, typename Z>
inline auto read_own(Series<U> u, Series<Delta> delta, Series<Z> z, uint first, uint last)
    -> Own<decltype(value_at(u.first)), decltype(value_at(delta.first)),
           decltype(value_at(z.first))> {
  Own<decltype(value_at(u.first)), decltype(value_at(delta.first)), decltype(value_at(z.first))>
      own;
#pragma unroll
  for (uint i = 0; i < kOwn; ++i) {
    const uint t = min(first + i, last);
    own.u[i] = value_at(u.at(t));
    own.delta[i] = value_at(delta.at(t));
    own.z[i] = value_at(z.at(t));
  }
  return own;
}

// The steps of a lane's own tokens. A token past the row's end has a step of 0, which leaves the
// state as it is.
template <bool SOFTPLUS, typename Own>
inline float4 own_steps(Own own, float bias, uint first, uint end) {
  float4 steps;
#pragma unroll
  for (uint i = 0; i < kOwn; ++i) {
    const float dt = step_size<SOFTPLUS>(static_cast<float>(own.delta[i]), bias);
    steps[2 * i] = first + i < end ? dt : 0.0f;
    steps[2 * i + 1] = steps[2 * i] * static_cast<float>(own.u[i]);
  }
  return steps;
}

// A channel's steps through a chunk.
struct Steps {
  float dt[kTokens];
  float driven[kTokens];  // dt u
};

inline Steps all_steps(const threadgroup float4* of_channel) {
  Steps steps;
#pragma unroll
  for (uint lane = 0; lane < kLanes; ++lane) {
    const float4 two = of_channel[lane];
    steps.dt[2 * lane] = two.x;
    steps.driven[2 * lane] = two.y;
    steps.dt[2 * lane + 1] = two.z;
    steps.driven[2 * lane + 1] = two.w;
  }
  return steps;
}

// Rows of B and C that all channels of a SIMD-group read, put before each other by its lanes.
struct SharedRows {
  const threadgroup float4* B;  // of this lane's quarter
  const threadgroup float4* C;

  inline float4 b(uint i) const { return B[i * kLanes]; }
  inline float4 c(uint i) const { return C[i * kLanes]; }
};

// Rows of B and C where channels differ in them: each lane loads its own. Tokens from `last` on
// read that one; they drive nothing.
template <int STATES, typename PB, typename PC>
struct OwnRows {
  Series<PB> B;
  Series<PC> C;
  uint first;
  uint last;
  uint state;

  inline float4 b(uint i) const {
    return widened(states_at<STATES>(B, false, min(first + i, last), state));
  }
  inline float4 c(uint i) const {
    return widened(states_at<STATES>(C, false, min(first + i, last), state));
  }
};
