// A tokenizer alone: tokenizer_bench MODEL_DIRECTORY TEXT_FILE PASSES encodes every line of the
// file, PASSES times, and prints {"seconds", "bytes", "ids"} of all passes together.

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <string>
#include <vector>

#include "core/files/files.h"
#include "text/tokenizer.h"

namespace {

using namespace rubric;

std::vector<std::string> read_lines(const char* file) {
  std::vector<std::string> lines;
  LineReader reader(file);
  for (std::string line; reader.next(line);) lines.push_back(line);
  return lines;
}

void measure(const char* model, const char* file, int passes) {
  const auto tokenizer = text::open_tokenizer(model);
  const std::vector<std::string> lines = read_lines(file);
  size_t bytes = 0, count = 0;
  const auto start = std::chrono::steady_clock::now();
  for (int pass = 0; pass < passes; ++pass) {
    for (const std::string& line : lines) {
      std::vector<int64_t> ids;  // a new one for each text, as for whoever keeps them
      tokenizer->encode(line, ids);
      bytes += line.size();
      count += ids.size();
    }
  }
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("{\"seconds\": %.6f, \"bytes\": %zu, \"ids\": %zu}\n", seconds.count(), bytes, count);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4) {
    std::fprintf(stderr, "usage: tokenizer_bench MODEL_DIRECTORY TEXT_FILE PASSES\n");
    return 2;
  }
  try {
    measure(argv[1], argv[2], std::atoi(argv[3]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}
