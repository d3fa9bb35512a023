// A pipe by the paths of its ends.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>

#include <unistd.h>

namespace rubric {

// A pipe that holds `text`, by the path of its reading end.
class Pipe {
 public:
  explicit Pipe(const std::string& text) {
    if (pipe(ends_) != 0 || write(ends_[1], text.data(), text.size()) < 0) {
      throw std::runtime_error("no pipe");
    }
  }
  ~Pipe() {
    close(ends_[0]);
    if (ends_[1] >= 0) close(ends_[1]);
  }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;

  std::string reading_end() const { return "/proc/self/fd/" + std::to_string(ends_[0]); }
  std::string writing_end() const { return "/proc/self/fd/" + std::to_string(ends_[1]); }
  void close_writing_end() { close(std::exchange(ends_[1], -1)); }

 private:
  int ends_[2] = {-1, -1};
};

}  // namespace rubric
