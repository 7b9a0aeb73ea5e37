// One token of the selective scan:
//   h' = exp(dt A) h + dt u B,   y = (C . h' + D u) silu(z).
// LANES lanes share a channel, each with every LANES-th state, so that the state is read in a row;
// they add up y by shuffles.
#include "ssm_math.h"

// u, delta, z, y (b, d); A (d, n); B, C (b, groups, n) or (d, n); D, delta_bias (d,);
// state, new_state (b, d, n). Thread (x, y): channel x / LANES, row y. LANES divides 32.
template <int STATES, int LANES, int B_GROUPS, int C_GROUPS, bool SOFTPLUS, bool GATED, typename U,
          typename Delta, typename Rates, typename PB, typename PC, typename Skip, typename Z,
          typename Bias, typename State, typename Y>
inline void ssm_step(U u, Delta delta, Rates A, PB B, PC C, Skip D, Z z, Bias delta_bias,
                     State state, device Y* y, device float* new_state, uint channels,
                     uint3 position) {
  // The lanes past the last channel repeat it, for all lanes must meet in the shuffles.
  const bool real = position.x / LANES < channels;
  const uint channel = real ? position.x / LANES : channels - 1;
  const uint lane = position.x % LANES;
  const uint row = position.y;
  const size_t at = static_cast<size_t>(row) * channels + channel;
  const size_t row_B = row_of<B_GROUPS>(row, channel, channels);
  const size_t row_C = row_of<C_GROUPS>(row, channel, channels);

  const float x = static_cast<float>(u[at]);
  const float dt = step_size<SOFTPLUS>(static_cast<float>(delta[at]), delta_bias[channel]);
  float sum = 0.0f;
  for (uint s = lane; s < STATES; s += LANES) {
    const float decay = metal::exp2(dt * (kLog2E * A[channel * STATES + s]));
    const float drive = dt * x * static_cast<float>(B[row_B * STATES + s]);
    const float h = decay * state[at * STATES + s] + drive;
    sum += h * static_cast<float>(C[row_C * STATES + s]);
    if (real) new_state[at * STATES + s] = h;
  }
  for (ushort apart = LANES / 2; apart > 0; apart /= 2) sum += simd_shuffle_xor(sum, apart);

  if (!real || lane > 0) return;
  float value = sum + D[channel] * x;
  if (GATED) value *= silu(static_cast<float>(z[at]));
  y[at] = static_cast<Y>(value);
}
