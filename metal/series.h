// What the scan reads over time, by strides, and the states of it that a lane takes at once.
#pragma once

#include "ssm_math.h"
#include "wide_loads.h"

constexpr constant uint kTile = 16;  // states, four of each of a channel's lanes

// The values of one channel, or the states of B or C that it reads, over time.
template <typename P>
struct Series {
  P first;
  uint token;  // elements from a token to the next
  uint state;  // and from a state to the next

  inline P at(uint t) const { return first + static_cast<size_t>(t) * token; }
};

template <typename P, typename Strides>
inline Series<P> channel_of(P values, Strides strides, uint row, uint channel) {
  return {values + row * strides[0] + channel * strides[2], static_cast<uint>(strides[1]), 0};
}

// GROUPS of B or C: 0 for (d, n), constant in time; 1 for (b, l, n); more for (b, l, groups, n).
template <int GROUPS, typename P, typename Strides>
inline Series<P> states_of(P values, Strides strides, uint row, uint channel, uint channels) {
  const uint token = GROUPS == 0 ? 0 : strides[1];
  const uint state = strides[GROUPS == 0 ? 1 : GROUPS == 1 ? 2 : 3];
  if (GROUPS == 0) return {values + channel * strides[0], token, state};
  values += row * strides[0];
  if (GROUPS > 1) values += channel / (channels / (GROUPS > 0 ? GROUPS : 1)) * strides[2];
  return {values, token, state};
}

// Whether four states that follow each other can be loaded at once, from any token.
template <int STATES, typename P>
inline bool is_wide(Series<P> series) {
  return STATES % 4 == 0 && series.state == 1 && loads_four(series.first, series.token);
}

// Four states from `state` on; those beyond STATES are 0.
template <int STATES, bool WIDE, typename P>
inline float4 load_states(P p, uint stride, uint state) {
  if (WIDE && STATES % kTile == 0) return load_four(p + state);
  if (WIDE) return state < STATES ? load_four(p + state) : float4(0.0f);
  float4 x = float4(0.0f);
  for (uint i = 0; i < 4; ++i) {
    if (state + i < STATES) x[i] = static_cast<float>(p[(state + i) * stride]);
  }
  return x;
}
