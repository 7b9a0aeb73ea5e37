// wide_loads.h for CUDA, whose wide loads must be aligned as a whole.
#pragma once

template <typename T>
inline T value_at(const T* p) {
  return *p;
}

// In words as they are loaded: values of 16 bits would each be moved to a register of its own, and
// wait there for the load.
template <typename T>
struct alignas(4 * sizeof(T)) Four {
  uint words[sizeof(T)];
};

template <typename T>
inline Four<T> four_of(T a, T b, T c, T d) {
  const T of[4] = {a, b, c, d};
  Four<T> four;
  memcpy(&four, of, sizeof four);
  return four;
}

template <typename T>
inline float4 widened(Four<T> four) {
  T of[4];
  memcpy(of, &four, sizeof four);
  return {static_cast<float>(of[0]), static_cast<float>(of[1]), static_cast<float>(of[2]),
          static_cast<float>(of[3])};
}

template <typename T>
inline bool loads_four(const T* p, uint token) {
  return (reinterpret_cast<size_t>(p) | token * sizeof(T)) % sizeof(Four<T>) == 0;
}

template <typename T>
inline Four<T> four_at(const T* p) {
  return *reinterpret_cast<const Four<T>*>(p);
}
