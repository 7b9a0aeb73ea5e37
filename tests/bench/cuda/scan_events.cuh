// The host's part of scan_events.py.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr int kStates = 16, kRow = 80, kOffsetB = 48, kOffsetC = 64;  // as the model's x_proj gives
constexpr int kShapes[6][3] = {{1, 512, 1536},   {1, 2048, 1536}, {1, 8192, 1536},
                               {1, 32768, 1536}, {1, 2048, 5120}, {8, 2048, 1536}};
constexpr int kRounds = 9;

void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
  std::exit(1);
}

// Random values in [middle - width, middle + width].
template <typename T>
__global__ void fill(T* values, size_t count, float width, float middle, unsigned seed) {
  const size_t i = blockIdx.x * static_cast<size_t>(256) + threadIdx.x;
  if (i >= count) return;
  unsigned bits = static_cast<unsigned>(i * 2654435761u) ^ seed * 40503u;
  for (unsigned mix : {0x85ebca6bu, 0xc2b2ae35u}) bits = (bits ^ bits >> 15) * mix;
  values[i] = static_cast<T>((static_cast<float>(bits >> 8) / 8388608.0f - 1.0f) * width + middle);
}

template <typename T>
T* random(size_t count, float width, float middle, std::vector<void*>& kept) {
  T* values;
  check(cudaMalloc(&values, count * sizeof(T)));
  fill<T><<<(count + 255) / 256, 256>>>(values, count, width, middle, kept.size() + 1);
  kept.push_back(values);
  return values;
}

// Median microseconds of a call, and the least and the most: of `calls` in each round.
template <typename Call>
void time(const char* what, int calls, Call call) {
  cudaEvent_t begins, ends;
  check(cudaEventCreate(&begins));
  check(cudaEventCreate(&ends));
  for (int i = 0; i < 4; ++i) call(i);
  check(cudaDeviceSynchronize());
  std::vector<float> times;
  for (int round = 0; round < kRounds; ++round) {
    check(cudaEventRecord(begins));
    for (int i = 0; i < calls; ++i) call(i);
    check(cudaEventRecord(ends));
    check(cudaEventSynchronize(ends));
    float ms;
    check(cudaEventElapsedTime(&ms, begins, ends));
    times.push_back(1e3f * ms / calls);
  }
  std::sort(times.begin(), times.end());
  std::printf("%s %8.1f us (%.1f to %.1f)\n", what, times[kRounds / 2], times[0], times.back());
}

__global__ void nothing(float*) {}

void time_empty() {
  time("an empty kernel", 200, [](int) { nothing<<<192, 256>>>(nullptr); });
}

template <typename T, typename Kernel>
void time_all(Kernel kernel, int threads, int channels_of_group, int chunks, int size) {
  for (const auto& [batch, length, channels] : kShapes) {
    const size_t count = static_cast<size_t>(batch) * length * channels;
    const size_t rows = static_cast<size_t>(batch) * length * kRow;
    std::vector<void*> kept;
    std::vector<std::vector<T*>> sets(std::clamp<size_t>(300000000 / (4 * count * size), 2, 24));
    for (auto& set : sets) {
      for (float middle : {0.0f, 0.0f, 0.0f}) set.push_back(random<T>(count, 2, middle, kept));
      set.push_back(random<T>(rows, 1, 0, kept));
      set.push_back(random<T>(count, 0, 0, kept));
    }
    float* A = random<float>(channels * kStates, 4, -4.2f, kept);
    float* D = random<float>(channels, 1, 0, kept);
    float* bias = random<float>(channels, 0.5f, -3, kept);
    float* states[2];
    for (float*& state : states) state = random<float>(batch * channels * kStates, 1, 0, kept);
    const int shape[3] = {batch, length, channels};
    int* on_card;
    check(cudaMalloc(&on_card, sizeof shape));
    kept.push_back(on_card);
    check(cudaMemcpy(on_card, shape, sizeof shape, cudaMemcpyHostToDevice));
    const Strides wide = {{static_cast<int64_t>(length) * channels, channels, 1}};
    const Strides narrow = {{static_cast<int64_t>(length) * kRow, kRow, 1}};
    const dim3 grid((channels + channels_of_group - 1) / channels_of_group, batch);
    char what[80];
    std::snprintf(what, sizeof what, "%dx%dx%d f%d, %d chunks:", batch, length, channels, 8 * size,
                  chunks);
    time(what, length > 9000 ? 12 : 40, [&](int i) {
      const auto& set = sets[i % sets.size()];
      kernel<<<grid, threads>>>(set[0], on_card, wide, set[1], wide, A, set[3] + kOffsetB, narrow,
                                set[3] + kOffsetC, narrow, D, set[2], wide, bias, states[i % 2],
                                nullptr, set[4], states[(i + 1) % 2]);
      check(cudaGetLastError());
    });
    for (void* values : kept) cudaFree(values);
  }
}

}  // namespace
