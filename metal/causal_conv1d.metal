// The causal depthwise convolution before the scan, with its SiLU:
//   y[t] = silu(bias + sum over j of weight[j] x[t - (KERNEL - 1) + j]),
// where the inputs before x are the tail that the last call left. A thread takes one channel
// through a few tokens, its window in registers.
#include "ssm_math.h"

constexpr constant uint kConvTokens = 8;  // of a thread

// The input at `t` tokens from the start of x, which may be negative: then it is in the tail.
template <int KERNEL, typename X, typename Tail>
inline float input_at(X x, Tail tail, int t, uint row, uint channel, uint length, uint channels) {
  if (t < 0) {
    const size_t before = static_cast<size_t>(row) * (KERNEL - 1) + (KERNEL - 1 + t);
    return static_cast<float>(tail[before * channels + channel]);
  }
  return static_cast<float>(x[(static_cast<size_t>(row) * length + t) * channels + channel]);
}

// x, y (b, l, d); weight (d, KERNEL); bias (d,); tail, new_tail (b, KERNEL - 1, d); lengths (b,).
// Thread (x, y, z): channel x, tokens 8y.., row z.
template <int KERNEL, bool SILU, typename X, typename Weight, typename Bias, typename Tail,
          typename Lengths, typename Y>
inline void causal_conv1d(X x, Weight weight, Bias bias, Tail tail, Lengths lengths, device Y* y,
                          device Y* new_tail, uint length, uint channels, uint3 position) {
  const uint channel = position.x;
  const uint row = position.z;
  const int start = position.y * kConvTokens;
  const int end = min(length, static_cast<uint>(lengths[row]));
  if (channel >= channels || start >= static_cast<int>(length)) return;

  float taps[KERNEL];
  float window[KERNEL];  // the inputs that the next token sees, the oldest first
  for (int j = 0; j < KERNEL; ++j) {
    taps[j] = static_cast<float>(weight[channel * KERNEL + j]);
    window[j] = 0.0f;
    if (j < KERNEL - 1 && start < end) {
      window[j] =
          input_at<KERNEL>(x, tail, start - (KERNEL - 1) + j, row, channel, length, channels);
    }
  }
  const float offset = static_cast<float>(bias[channel]);

  const int stop = min(start + static_cast<int>(kConvTokens), static_cast<int>(length));
  for (int t = start; t < stop; ++t) {
    float value = 0.0f;
    if (t < end) {
      window[KERNEL - 1] = input_at<KERNEL>(x, tail, t, row, channel, length, channels);
      value = offset;
      for (int j = 0; j < KERNEL; ++j) value += taps[j] * window[j];
      if (SILU) value = silu(value);
      for (int j = 0; j + 1 < KERNEL; ++j) window[j] = window[j + 1];
    }
    y[(static_cast<size_t>(row) * length + t) * channels + channel] = static_cast<Y>(value);
  }

  if (start > 0) return;
  for (int j = 0; j + 1 < KERNEL; ++j) {
    const size_t at = (static_cast<size_t>(row) * (KERNEL - 1) + j) * channels + channel;
    new_tail[at] = static_cast<Y>(
        input_at<KERNEL>(x, tail, end - (KERNEL - 1) + j, row, channel, length, channels));
  }
}
