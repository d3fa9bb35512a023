// Rows with answers, as entries of a ledger: with the replies that somebody else recorded, or yet
// to be judged.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/rows/rows.h"
#include "judge/ledger/writer.h"

namespace rubric::judge {

// What is asked of a row: verdicts on its answer, or which of its two answers is better, in both
// orders or with the first shown first alone.
enum class JudgedKind { answers, pairs, pairs_in_one_order };

// What the rows do not say themselves.
struct JudgedRows {
  std::string system;    // of rows that name none
  std::string language;  // of the answers, where the rows do not say; "": English
  LedgerJudge judge;
  JudgedKind kind = JudgedKind::answers;
  data::FieldNames
      fields;  // what the file calls id, system, passage, question, reference, candidate
  std::string reply_column;  // of the recorded replies; "": these rows are yet to be judged
};

// Throws InputError where it is none: a ledger keeps it for ever, and words are cut by it.
void require_language_code(const std::string& code, const std::string& where);

// The fields of a row that may have other names.
const std::vector<std::string>& judged_fields(JudgedKind kind);

// The rows of a file: passage (or context), question, perhaps id, else the row's number, and
// perhaps system; of answers also reference (or references) and candidate, of pairs answer_a and
// answer_b: the system then says what the pairs are ("C vs CH"). An empty reply is one that holds
// no verdicts. The entries keep their passages. Throws InputError for a file without rows, a
// missing column, a row without an answer, a reference or a system, one of another system than
// settings name, an answer that stands twice, and as visit_rows() does.
std::vector<LedgerEntry> read_judged_rows(const std::filesystem::path& file,
                                          data::InputFormat format, const JudgedRows& settings);

}  // namespace rubric::judge
