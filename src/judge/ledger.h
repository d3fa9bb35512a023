// The ledger: every reply of one judge to one prompt, a line each, written as replies come by a
// process that may be killed meanwhile.
#pragma once

#include <compare>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/descriptor.h"
#include "judge/ledger_entry.h"

namespace rubric {

// What judged: all entries of a ledger have the same.
struct LedgerJudge {
  std::string judge;
  std::string prompt;  // the text, which is in the ledger's first line; "": not known
};

struct Ledger {
  std::vector<LedgerEntry> entries;  // line i + 1 is entry i
  std::string prompt;                // as the first line says
  int64_t torn_bytes = 0;            // of a last line that was not written to its end
  bool lacks_line_end = false;       // the last line is whole, but for its end
};

// A ledger; a last line that a killed process left torn is left out. Throws InputError for any
// other line that is no entry, for entries of several judges or prompts, and for two entries of the
// same system, language, id and attempt.
Ledger read_ledger(const std::filesystem::path& file);

// Which answer is judged: a system's, in a language, to a question.
struct JudgedAnswer {
  std::string system, language, id;
  auto operator<=>(const JudgedAnswer&) const = default;
};
JudgedAnswer judged_answer(const LedgerEntry& entry);

// A ledger that is appended to. The file is locked, and made when it is not there.
class LedgerWriter {
 public:
  // Takes a torn last line off. Throws InputError as read_ledger() does, when the ledger is of
  // another judge or prompt, and when it is a pipe, a folder, or being written by another process;
  // Error when it cannot be written.
  LedgerWriter(const std::filesystem::path& file, LedgerJudge judge);

  const Ledger& before() const { return ledger_; }    // what was there; its torn line is gone
  void append(std::span<const LedgerEntry> entries);  // handed to the system at once
  void flush();                                       // to disk

 private:
  void write(std::string_view bytes);

  std::filesystem::path file_;
  LedgerJudge judge_;
  Descriptor descriptor_;  // locked
  Ledger ledger_;
  bool is_empty_ = true;
};

}  // namespace rubric
