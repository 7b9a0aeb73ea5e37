// Loads of one value and of four neighbours, as they are stored: what is loaded ahead is widened
// only when it is used.
#pragma once

#include <metal_stdlib>
using namespace metal;

template <typename P>
inline auto value_at(P p) {
  return *p;
}

template <typename T>
struct Four {
  T of[4];
};

template <typename T>
inline Four<T> four_of(T a, T b, T c, T d) {
  return {{a, b, c, d}};
}

template <typename T>
inline float4 widened(Four<T> four) {
  float4 x;
  for (uint i = 0; i < 4; ++i) x[i] = static_cast<float>(four.of[i]);
  return x;
}

// Whether four can be loaded at once at p and at any number of `token` elements from it: packed
// types ask only for their element's alignment.
template <typename P>
inline bool loads_four(P, uint) {
  return true;
}

template <typename P>
inline auto four_at(P p) -> Four<decltype(value_at(p))> {
  return four_of(value_at(p), value_at(p + 1), value_at(p + 2), value_at(p + 3));
}

inline Four<float> four_at(const device float* p) {
  const float4 x = *reinterpret_cast<const device packed_float4*>(p);
  return four_of(x[0], x[1], x[2], x[3]);
}

inline Four<half> four_at(const device half* p) {
  const half4 x = *reinterpret_cast<const device packed_half4*>(p);
  return four_of(x[0], x[1], x[2], x[3]);
}

inline Four<bfloat> four_at(const device bfloat* p) {
  const ushort4 x = *reinterpret_cast<const device packed_ushort4*>(p);
  return four_of(as_type<bfloat>(x[0]), as_type<bfloat>(x[1]), as_type<bfloat>(x[2]),
                 as_type<bfloat>(x[3]));
}
