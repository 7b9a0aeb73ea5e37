// After a source: the kernel's body, which declares threadgroup memory and asks where it is. Our
// threadgroups are rows of threads.
#undef inline
#define threadgroup __shared__
#define thread_index_in_threadgroup threadIdx.x
#define thread_index_in_simdgroup (threadIdx.x % 32)
#define simdgroup_index_in_threadgroup (threadIdx.x / 32)
#define threadgroup_position_in_grid (metal_uint3{blockIdx.x, blockIdx.y, blockIdx.z})
#define thread_position_in_grid \
  (metal_uint3{blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y, blockIdx.z})
