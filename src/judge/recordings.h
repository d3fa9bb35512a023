// Replies that somebody else recorded, as entries of a ledger: replayed without a judge.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/input_format.h"
#include "judge/ledger.h"

namespace rubric {

// What a file of recordings does not say itself.
struct RecordingSettings {
  std::string system, language;
  LedgerJudge judge;
  std::string answer_column = "candidate";  // the columns of the system's answers
  std::string reply_column = "reply";       // and of the judge's replies to them
};

// The rows of a file: passage (or context), question, reference (or references), the two columns
// and perhaps id, else the row's number. An empty reply is one that holds no verdicts. Throws
// InputError for a file without rows, a missing column, a row without an answer, an id that stands
// twice, and as visit_rows() does.
std::vector<LedgerEntry> read_recordings(const std::filesystem::path& file, InputFormat format,
                                         const RecordingSettings& settings);

// Those of `entries` that `ledger` does not hold yet. Throws InputError, naming the ledger's line,
// where it holds another judgement of the same answer.
std::vector<LedgerEntry> new_entries(std::vector<LedgerEntry> entries, const Ledger& ledger,
                                     const std::filesystem::path& ledger_file);

}  // namespace rubric
