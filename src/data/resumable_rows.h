// Rows that are written one after another for hours, by a process that may be killed meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <vector>

#include "core/json.h"

namespace rubric {

// FILE.unfinished, which becomes FILE when all rows are there; beside it FILE.unfinished.json says
// what they are made from. What an earlier process left is gone on with.
class ResumableRows {
 public:
  // `identity` is an object of texts: all that the rows depend on. Throws InputError when the
  // unfinished file was made from something else, naming what, and when another process is writing
  // it; Error when it cannot be written.
  ResumableRows(std::filesystem::path file, const Json& identity);

  int64_t done() const { return done_; }  // rows that are there, complete

  void append(const std::vector<Json>& rows);  // one line each, handed to the system at once
  void commit();                               // to disk, and FILE

 private:
  struct Descriptor {
    int value = -1;
    Descriptor() = default;
    ~Descriptor();
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
  };

  void keep_complete_lines();

  std::filesystem::path file_, unfinished_, identity_;
  Descriptor descriptor_;  // locked
  int64_t done_ = 0;
};

}  // namespace rubric
