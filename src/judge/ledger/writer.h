// What a ledger holds already of a judge, so that nothing is asked or added twice.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/files/files.h"
#include "judge/ledger/ledger.h"

namespace rubric::judge {

// Who judges from now on.
struct LedgerJudge {
  std::string judge;       // the model
  std::string prompt;      // the text; "": not known
  std::string parameters;  // a JSON object in one line; "": not known
};

// The last attempt at an answer.
struct RecordedJudgement {
  std::string key;        // of the request
  std::string line_hash;  // SHA-256 of to_json(entry), written
  int64_t line = 0;       // in the file, from 1
  int64_t attempt = 0;
  bool is_valid = false;  // the reply holds verdicts
};

struct Recorded {
  std::filesystem::path file;
  std::map<JudgedAnswer, RecordedJudgement> judgements;  // this judge's
  std::map<std::string, JudgedAnswer> keys;              // an answer of each of its requests
  std::set<std::string> prompts;                         // hashes of all whose text the file has
  LedgerEnd end;
};

// Throws InputError as visit_ledger() does and, where a mix is refused, when the ledger is of
// another judge, prompt or parameters.
Recorded read_recorded(const std::filesystem::path& file, const LedgerJudge& judge, LedgerMix mix);

// The entries that are not recorded. Throws InputError where another judgement of the same answer
// is.
std::vector<LedgerEntry> unrecorded(std::vector<LedgerEntry> entries, const Recorded& recorded);

// The entries that are still to be judged, with the number of the next attempt: those with no reply
// recorded or, of fewer than `attempts`, none with verdicts. Throws InputError where a reply to
// another request about the same answer is.
std::vector<LedgerEntry> unjudged(std::vector<LedgerEntry> entries, const Recorded& recorded,
                                  int64_t attempts);

// A ledger that is gone on with.

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

}  // namespace rubric::judge
