// What the scan reads over time, by strides: values of a channel, and states of B and C.
#pragma once

#include "ssm_math.h"
#include "wide_loads.h"

constexpr constant uint kTile = 16;  // states, four of each of a channel's lanes

// The values of one channel, or the states of B or C that it reads, over time. Offsets are of 32
// bits, which address arithmetic has in hardware: the ops keep a row below 2^32 elements.
template <typename P>
struct Series {
  P first;
  uint token;  // elements from a token to the next
  uint state;  // and from a state to the next

  inline P at(uint t) const { return first + t * token; }
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

// Four states from `state` on of token `t`, as they are stored; those beyond STATES are 0.
template <int STATES, typename P>
inline auto states_at(Series<P> series, bool wide, uint t, uint state)
    -> Four<decltype(value_at(series.first))> {
  const P p = series.at(t);
  if (wide && (STATES % kTile == 0 || state < STATES)) return four_at(p + state);
  using T = decltype(value_at(series.first));
  T x[4];
  for (uint i = 0; i < 4; ++i) {
    x[i] = state + i < STATES ? p[(state + i) * series.state] : static_cast<T>(0.0f);
  }
  return four_of(x[0], x[1], x[2], x[3]);
}
