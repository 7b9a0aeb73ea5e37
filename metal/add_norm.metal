// What stands between two layers: the residual stream and its norm,
//   hidden = x + y,   normed = weight hidden / sqrt(mean(hidden^2) + eps).
#include "ssm_math.h"

constexpr constant uint kThreads = 256;  // of a threadgroup, which takes one row
constexpr constant uint kSimdWidth = 32;

// x, y, hidden, normed (rows, d); weight (d,). `partial` is [kThreads / kSimdWidth].
template <typename X, typename Y, typename Weight, typename Hidden, typename Normed>
inline void add_norm(X x, Y y, Weight weight, float eps, device Hidden* hidden,
                     device Normed* normed, uint d, threadgroup float* partial, uint row,
                     uint thread_index) {
  const size_t first = static_cast<size_t>(row) * d;
  float squares = 0.0f;
  for (uint c = thread_index; c < d; c += kThreads) {
    const float sum = static_cast<float>(x[first + c]) + static_cast<float>(y[first + c]);
    hidden[first + c] = static_cast<Hidden>(sum);
    const float h = static_cast<float>(hidden[first + c]);  // as it is kept
    squares = metal::fma(h, h, squares);
  }
  for (ushort lanes = kSimdWidth / 2; lanes > 0; lanes /= 2) {
    squares += simd_shuffle_xor(squares, lanes);
  }
  if (thread_index % kSimdWidth == 0) partial[thread_index / kSimdWidth] = squares;
  threadgroup_barrier(mem_flags::mem_threadgroup);
  float total = 0.0f;
  for (uint i = 0; i < kThreads / kSimdWidth; ++i) total += partial[i];
  const float scale = metal::rsqrt(total / static_cast<float>(d) + eps);
  for (uint c = thread_index; c < d; c += kThreads) {
    const float h = static_cast<float>(hidden[first + c]);  // this thread wrote it
    normed[first + c] = static_cast<Normed>(static_cast<float>(weight[c]) * (h * scale));
  }
}
