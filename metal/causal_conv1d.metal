// The causal depthwise convolution before the scan, with its SiLU:
//   y[t] = silu(bias + sum over j of weight[j] x[t - (KERNEL - 1) + j]),
// where the inputs before x are the tail that the last call left. A thread takes one channel
// through a few tokens, its window in registers.
#include "series.h"
#include "ssm_math.h"

constexpr constant uint kConvTokens = 8;  // of a thread

// A channel's inputs: those before x, then x.
template <int KERNEL, typename X, typename Tail>
struct Inputs {
  Series<X> x;
  Series<Tail> tail;

  // At `t` tokens from the start of x; from -(KERNEL - 1) on.
  inline float at(int t) const {
    if (t >= 0) return static_cast<float>(value_at(x.at(t)));
    return static_cast<float>(value_at(tail.at(KERNEL - 1 + t)));
  }
};

// x, y (b, l, d); weight (d, KERNEL); bias (d,); tail, new_tail (b, KERNEL - 1, d); lengths (b,)
// where RAGGED; inputs by their strides. Thread (x, y, z): channel x, tokens 8y.., row z.
template <int KERNEL, bool SILU, bool RAGGED, typename X, typename Strides, typename Weight,
          typename Bias, typename Tail, typename Lengths, typename Y>
inline void causal_conv1d(X x, Strides x_strides, Weight weight, Strides weight_strides, Bias bias,
                          Strides bias_strides, Tail tail, Strides tail_strides, Lengths lengths,
                          device Y* y, device Y* new_tail, uint length, uint channels,
                          uint3 position) {
  const uint channel = position.x;
  const uint row = position.z;
  const int start = position.y * kConvTokens;
  const int end = RAGGED ? min(length, static_cast<uint>(lengths[row])) : length;
  if (channel >= channels || start >= static_cast<int>(length)) return;

  const Inputs<KERNEL, X, Tail> inputs = {channel_of(x, x_strides, row, channel),
                                          channel_of(tail, tail_strides, row, channel)};
  float taps[KERNEL];
  float window[KERNEL];  // the inputs that the next token sees, the oldest first
  for (int j = 0; j < KERNEL; ++j) {
    taps[j] = static_cast<float>(weight[channel * weight_strides[0] + j * weight_strides[1]]);
    const bool is_seen = j < KERNEL - 1 && start < end;
    window[j] = is_seen ? inputs.at(start - (KERNEL - 1) + j) : 0.0f;
  }
  const float offset = static_cast<float>(bias[channel * bias_strides[0]]);

  device Y* const ys = y + static_cast<size_t>(row) * length * channels + channel;
  const int stop = min(start + static_cast<int>(kConvTokens), static_cast<int>(length));
  for (int t = start; t < stop; ++t) {
    float value = 0.0f;
    if (t < end) {
      window[KERNEL - 1] = inputs.at(t);
      value = offset;
      for (int j = 0; j < KERNEL; ++j) value += taps[j] * window[j];
      if (SILU) value = silu(value);
      for (int j = 0; j + 1 < KERNEL; ++j) window[j] = window[j + 1];
    }
    ys[t * channels] = static_cast<Y>(value);
  }

  if (start > 0) return;
  device Y* const tails = new_tail + static_cast<size_t>(row) * (KERNEL - 1) * channels + channel;
  for (int j = 0; j + 1 < KERNEL; ++j) {
    tails[j * channels] = static_cast<Y>(inputs.at(end - (KERNEL - 1) + j));
  }
}
