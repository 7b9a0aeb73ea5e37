// One token of the selective scan:
//   h' = exp(dt A) h + dt u B,   y = (C . h' + D u) silu(z).
// LANES lanes share a channel, each with every LANES-th state, so that the state is read in a row;
// they add up y by shuffles, and so they do its step size where that is yet to be projected.
#include "ssm_math.h"

template <int LANES>
inline float added_over_lanes(float x) {
  for (ushort apart = LANES / 2; apart > 0; apart /= 2) x += simd_shuffle_xor(x, apart);
  return x;
}

// u, z, y (b, d); delta (b, d) or, where PROJECTED, (b, rank) with dt_proj (d, rank); A (d, n);
// B, C (b, groups, n) or (d, n); D, delta_bias (d,); state, new_state (b, d, n).
// Thread (x, y): channel x / LANES, row y. LANES divides 32.
template <int STATES, int LANES, int B_GROUPS, int C_GROUPS, bool SOFTPLUS, bool GATED,
          bool PROJECTED, typename U, typename Delta, typename Projection, typename Rates,
          typename PB, typename PC, typename Skip, typename Z, typename Bias, typename State,
          typename Y>
inline void ssm_step(U u, Delta delta, Projection dt_proj, Rates A, PB B, PC C, Skip D, Z z,
                     Bias delta_bias, State state, device Y* y, device float* new_state,
                     uint channels, uint rank, uint3 position) {
  // The lanes past the last channel repeat it, for all lanes must meet in the shuffles.
  const bool real = position.x / LANES < channels;
  const uint channel = real ? position.x / LANES : channels - 1;
  const uint lane = position.x % LANES;
  const uint row = position.y;
  const size_t at = static_cast<size_t>(row) * channels + channel;
  const size_t row_B = row_of<B_GROUPS>(row, channel, channels);
  const size_t row_C = row_of<C_GROUPS>(row, channel, channels);

  float raw = 0.0f;
  if (PROJECTED) {
    for (uint r = lane; r < rank; r += LANES) {
      raw += static_cast<float>(dt_proj[channel * rank + r]) *
             static_cast<float>(delta[row * rank + r]);
    }
    raw = added_over_lanes<LANES>(raw);
  } else {
    raw = static_cast<float>(delta[at]);
  }
  const float dt = step_size<SOFTPLUS>(raw, delta_bias[channel]);
  const float x = static_cast<float>(u[at]);
  float sum = 0.0f;
  for (uint s = lane; s < STATES; s += LANES) {
    const float decay = metal::fast::exp2(dt * (kLog2E * A[channel * STATES + s]));
    const float drive = dt * x * static_cast<float>(B[row_B * STATES + s]);
    const float h = decay * state[at * STATES + s] + drive;
    sum += h * static_cast<float>(C[row_C * STATES + s]);
    if (real) new_state[at * STATES + s] = h;
  }
  sum = added_over_lanes<LANES>(sum);

  if (!real || lane > 0) return;
  float value = sum + D[channel] * x;
  if (GATED) value *= silu(static_cast<float>(z[at]));
  y[at] = static_cast<Y>(value);
}
