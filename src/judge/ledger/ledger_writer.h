// A ledger that is gone on with.
#pragma once

#include <filesystem>
#include <span>
#include <string_view>

#include "core/files/descriptor.h"
#include "judge/ledger/writer.h"

namespace rubric {

// The file is locked, and made when it is not there.
class LedgerWriter {
 public:
  // Takes a torn last line off. Throws InputError as read_recorded() does, and when the file is a
  // pipe, a folder, or being written by another process; Error when it cannot be written.
  LedgerWriter(const std::filesystem::path& file, const LedgerJudge& judge,
               LedgerMix mix = LedgerMix::refused);

  // What was there when it was opened.
  const Recorded& before() const { return before_; }

  void append(std::span<const LedgerEntry> entries);  // handed to the system at once
  void flush();                                       // to disk

 private:
  void write(std::string_view bytes);

  std::string prompt_;
  std::filesystem::path file_;
  Descriptor descriptor_;  // locked
  Recorded before_;
  bool has_prompt_ = false;  // the file has its text
  bool has_unflushed_ = false;
};

}  // namespace rubric
