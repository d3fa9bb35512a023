// Reads rows with answers as ledger entries, with recorded replies or still to be judged.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/rows/rows.h"
#include "judge/ledger/writer.h"

namespace rubric::judge {

// What to ask about a row: verdicts on its answer, or which of its two answers is better, in both
// orders or only with the first answer shown first.
enum class JudgedKind { answers, pairs, pairs_in_one_order };

// Settings for what the rows do not contain.
struct JudgedRows {
  std::string system;    // of rows without a system
  std::string language;  // of the answers of rows without a language; "": English
  LedgerJudge judge;
  JudgedKind kind = JudgedKind::answers;
  data::FieldNames
      fields;  // the file's names of id, system, passage, question, reference, candidate
  std::string reply_column;  // with recorded replies; "": the rows are still to be judged
  std::string reference_separator = {};  // between several references in one text; "": none
};

// Throws InputError for an invalid language code: a ledger keeps it permanently, and it selects the
// word segmentation.
void require_language_code(const std::string& code, const std::string& where);

// The fields of a row that can be renamed.
const std::vector<std::string>& judged_fields(JudgedKind kind);

// Reads the rows of a file: question, optionally passage, id (default: the row's number) and
// system; for answers also reference and candidate, for pairs answer_a and answer_b, whose system
// names the kind of pair ("C vs CH"). Fields have the given names, else the usual ones
// (data/answers/usual_names.h). A warning counts rows to be asked about that lack a passage, or of
// whose references the judge sees the first alone. An empty reply counts as a reply without
// verdicts. The entries keep their passages. Throws InputError as visit_rows() does, and for a file
// without rows, a missing column, a row without answer, reference or system, a row of a system
// other than the settings', and a repeated answer.
std::vector<LedgerEntry> read_judged_rows(const std::filesystem::path& file,
                                          data::InputFormat format, const JudgedRows& settings);

}  // namespace rubric::judge
