// Loads of one value as it is stored, and of four neighbours as float32.
#pragma once

#include <metal_stdlib>
using namespace metal;

template <typename P>
inline auto value_at(P p) {
  return *p;
}

// Whether four can be loaded at once at p and at any number of `token` elements from it: packed
// types ask only for their element's alignment.
template <typename P>
inline bool loads_four(P, uint) {
  return true;
}

template <typename Values>
inline float4 widened(Values values) {
  float4 x;
  for (uint i = 0; i < 4; ++i) x[i] = static_cast<float>(values[i]);
  return x;
}

template <typename P>
inline float4 load_four(P p) {
  return widened(p);
}

inline float4 load_four(const device float* p) {
  return *reinterpret_cast<const device packed_float4*>(p);
}

inline float4 load_four(const device half* p) {
  const half4 four = *reinterpret_cast<const device packed_half4*>(p);
  return widened(four);
}

inline float4 load_four(const device bfloat* p) {
  const ushort4 upper = *reinterpret_cast<const device packed_ushort4*>(p);
  float4 x;
  for (uint i = 0; i < 4; ++i) x[i] = as_type<float>(static_cast<uint>(upper[i]) << 16);
  return x;
}
