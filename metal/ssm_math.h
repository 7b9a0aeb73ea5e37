// What the kernels of the state-space layer share. All arithmetic is float32.
#pragma once

#include <metal_stdlib>
using namespace metal;

constexpr constant float kLog2E = 1.4426950408889634f;

// log(1 + w) for w in [0, 1], to 4e-9 of it: 2 atanh(s) with s = w / (2 + w).
inline float log_one_plus(float w) {
  const float s = metal::fast::divide(w, w + 2.0f);
  const float r = s * s;
  float p = metal::fma(r, 0.28178335f, 0.27960603f);
  p = metal::fma(r, p, 0.4002491f);
  p = metal::fma(r, p, 0.66666315f);
  return s * metal::fma(r, p, 2.0f);
}

// Above 20 it rounds to x.
inline float softplus(float x) {
  return metal::max(x, 0.0f) + log_one_plus(metal::fast::exp2(-kLog2E * metal::abs(x)));
}

inline float silu(float x) { return metal::fast::divide(x, 1.0f + metal::fast::exp2(-kLog2E * x)); }

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
