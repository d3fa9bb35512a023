// Rows that are written one after another for hours, by a process that may be killed meanwhile.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/files/files.h"
#include "core/json/json.h"

namespace rubric::data {

// Throws InputError when `file` is a device, a pipe or a folder, where nothing can be resumed.
void require_resumable(const std::filesystem::path& file);

// FILE.unfinished, which becomes FILE when all rows are there; beside it FILE.unfinished.json says
// what they are made from. What an earlier process left is gone on with. Behind a symbolic link all
// that is the link's target's.
class ResumableRows {
 public:
  // `identity` is an object of texts: all that the rows depend on. Throws InputError as
  // require_resumable() does, when the unfinished file was made from something else, naming what,
  // and when another process is writing it; Error when it cannot be written. Of what is there whole
  // groups of `group` rows are kept: a group whose rows are computed together, sorted and batched
  // by length, comes out otherwise in its last digits when only a part of it is.
  ResumableRows(const std::filesystem::path& file, const Json& identity, int64_t group = 1);

  // Throws InputError as MadeRows does.
  void require_made_of(std::span<const Json> inputs) const;

  int64_t done() const { return done_; }  // rows that are there, complete
  const std::filesystem::path& unfinished() const { return unfinished_; }

  void append(const std::vector<Json>& rows);  // one line each, handed to the system at once
  void commit();                               // to disk, and FILE

 private:
  void keep_complete_groups(int64_t group);

  std::filesystem::path file_, unfinished_, identity_;
  Descriptor descriptor_;  // locked
  int64_t done_ = 0;
};

// The rows that an earlier process left, read beside the inputs that they were made of: lines that
// were taken out or changed would put all that follow beside the wrong input.
class MadeRows {
 public:
  // Throws InputError when there are more rows than `inputs`.
  MadeRows(const ResumableRows& rows, int64_t inputs);

  // Throws InputError when the next row is not `input` with members added.
  void require_next(const Json& input);

 private:
  LineReader lines_;
};

}  // namespace rubric::data
