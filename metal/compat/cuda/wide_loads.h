// wide_loads.h for CUDA, whose wide loads must be aligned as a whole.
#pragma once

template <typename T>
struct alignas(4 * sizeof(T)) Four {
  T of[4];
};

template <typename T>
inline T value_at(const T* p) {
  return *p;
}

template <typename T>
inline bool loads_four(const T* p, uint token) {
  return (reinterpret_cast<size_t>(p) | token * sizeof(T)) % sizeof(Four<T>) == 0;
}

template <typename T>
inline float4 load_four(const T* p) {
  const Four<T> four = *reinterpret_cast<const Four<T>*>(p);
  return {static_cast<float>(four.of[0]), static_cast<float>(four.of[1]),
          static_cast<float>(four.of[2]), static_cast<float>(four.of[3])};
}
