// What the kernels of the state-space layer share. All arithmetic is float32.
#pragma once

#include <metal_stdlib>
using namespace metal;

constexpr constant float kLog2E = 1.4426950408889634f;

// log(1 + x) without the loss of a small x: the rounding of 1 + x is divided out again.
inline float log_one_plus(float x) {
  float sum = 1.0f + x;
  return sum == 1.0f ? x : x * (metal::log(sum) / (sum - 1.0f));
}

inline float softplus(float x) { return x > 20.0f ? x : log_one_plus(metal::exp(x)); }

inline float silu(float x) { return x / (1.0f + metal::exp(-x)); }

// The step size of a channel: what the projection gave plus its bias, through the softplus.
template <bool SOFTPLUS>
inline float step_size(float delta, float bias) {
  float dt = delta + bias;
  return SOFTPLUS ? softplus(dt) : dt;
}

// The row of B or C that a channel reads, each row d_state long: one for each group of channels
// of a token, or, with GROUPS = 0, one for each channel at any time.
template <int GROUPS>
inline size_t row_of(size_t token, uint channel, uint channels) {
  if (GROUPS == 0) return channel;
  if (GROUPS == 1) return token;
  return token * GROUPS + channel / (channels / (GROUPS > 0 ? GROUPS : 1));
}
