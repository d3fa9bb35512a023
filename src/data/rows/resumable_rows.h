// Output files of long jobs, written row by row, which a killed job resumes when it is started
// again.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <vector>

#include "core/files/files.h"
#include "core/json/json.h"

namespace rubric::data {

// Throws InputError when `file` is a device, a pipe or a directory, which cannot be resumed.
void require_resumable(const std::filesystem::path& file);

// Writes FILE.unfinished, which is renamed to FILE when all rows are written. FILE.unfinished.json
// holds the identity of the job. Resumes what an earlier process left. If FILE is a symbolic link,
// all of this applies to its target.
class ResumableRows {
 public:
  // `identity` is an object of strings with everything that the rows depend on. Throws InputError
  // as require_resumable() does, when the unfinished file has another identity (naming the
  // difference), and when another process is writing it; Error when it is not writable. Keeps only
  // whole groups of `group` existing rows: rows of a group are batched together, and recomputing
  // part of a group would change their last digits.
  ResumableRows(const std::filesystem::path& file, const Json& identity, int64_t group = 1);

  // Throws InputError as MadeRows does.
  void require_made_of(std::span<const Json> inputs) const;

  int64_t done() const { return done_; }  // number of complete rows
  const std::filesystem::path& unfinished() const { return unfinished_; }

  void append(const std::vector<Json>& rows);  // one line each, written without buffering
  void commit();                               // flushes to disk and renames to FILE

 private:
  void keep_complete_groups(int64_t group);

  std::filesystem::path file_, unfinished_, identity_;
  FileDescriptor descriptor_;  // locked
  int64_t done_ = 0;
};

// Compares the rows that an earlier process left with their inputs: a removed or changed line would
// assign all later rows to the wrong input.
class MadeRows {
 public:
  // Throws InputError when there are more rows than `inputs`.
  MadeRows(const ResumableRows& rows, int64_t inputs);

  // Throws InputError when the next row is not `input` with added members.
  void require_next(const Json& input);

 private:
  LineReader lines_;
};

}  // namespace rubric::data
