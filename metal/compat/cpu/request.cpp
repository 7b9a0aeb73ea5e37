// A program's main around one kernel: reads a request, runs the kernel under each schedule that it
// names, and writes what the outputs held after each.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "lockstep.h"

void kernel_body(void** buffers);  // the generated part: one thread of the kernel

namespace {

// int64s; after an input's follow its bytes.
class Request {
 public:
  explicit Request(const char* path) : file_(std::fopen(path, "rb")) {
    if (!file_) lockstep::fail("cannot read ", path);
  }
  ~Request() { std::fclose(file_); }

  void read(void* to, size_t bytes) {
    if (std::fread(to, 1, bytes, file_) != bytes) lockstep::fail("the request ends early");
  }
  int64_t next() {
    int64_t value;
    read(&value, sizeof value);
    return value;
  }
  lockstep::Size next_size() {
    lockstep::Size size;
    for (unsigned* part : {&size.x, &size.y, &size.z}) *part = next();
    return size;
  }

 private:
  std::FILE* file_;
};

struct Buffer {
  bool is_output;
  size_t bytes;
};

}  // namespace

// The request: grid, threadgroup, how many schedules and each's seed and 1 if late, how many
// buffers and each's 1 if an output, bytes and, for an input, values.
int main(int argc, char** argv) {
  if (argc != 3) lockstep::fail("usage: REQUEST RESULT");
  Request request(argv[1]);
  lockstep::Launch launch = {request.next_size(), request.next_size(), kernel_body};
  std::vector<std::pair<int, bool>> schedules(request.next());
  for (auto& [seed, late] : schedules) {
    seed = request.next();
    late = request.next();
  }
  std::vector<Buffer> buffers(request.next());
  std::vector<void*> memory;
  for (Buffer& buffer : buffers) {
    buffer.is_output = request.next();
    buffer.bytes = request.next();
    memory.push_back(std::malloc(buffer.bytes));  // exact, so that the sanitizer guards its ends
    if (!buffer.is_output) request.read(memory.back(), buffer.bytes);
  }
  std::FILE* result = std::fopen(argv[2], "wb");
  for (auto [seed, late] : schedules) {
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].is_output) std::memset(memory[i], 0xff, buffers[i].bytes);
    }
    lockstep::launch(launch, seed, late, memory.data());
    for (size_t i = 0; i < buffers.size(); ++i) {
      if (buffers[i].is_output) std::fwrite(memory[i], 1, buffers[i].bytes, result);
    }
  }
  return std::fclose(result);
}
