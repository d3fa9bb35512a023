#include "data/rationales/rationale_judgements.h"

#include <algorithm>
#include <map>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "data/rows/row_fields.h"
#include "data/rows/rows_part.h"

namespace rubric {
namespace {

const std::vector<std::string> kAnswers = {"no", "yes"};
const std::vector<std::string> kAmounts = {"none", "little", "some", "enough"};  // 0 … 3

// Which of `words` the field holds, in small or capital letters.
int word_of(const Json& row, const std::string& field, const std::vector<std::string>& words,
            const std::string& where) {
  row.require(field, where);
  const std::string text = optional_text(row, field, where);
  const auto found = std::ranges::find(words, ascii_lower(trim(text)));
  if (found != words.end()) return static_cast<int>(found - words.begin());
  throw InputError("the field " + json_quote(field) + " is " + json_quote(text), where,
                   "write one of " + join(words));
}

std::string name_of(const Json& row, const std::string& field, const std::string& where) {
  row.require(field, where);
  std::string text = optional_text(row, field, where);
  if (!text.empty()) return text;
  throw InputError("the field " + json_quote(field) + " is empty", where);
}

}  // namespace

std::vector<RationaleJudgement> read_rationale_judgements(const std::filesystem::path& file) {
  const InputFormat format = input_format("", file, "a name in .jsonl, .csv or .tsv");
  if (!has_rows(format)) {
    throw InputError("judgements are read as rows", file.string(),
                     "write JSON lines (.jsonl) or a table (.csv, .tsv)");
  }
  std::vector<RationaleJudgement> judgements;
  std::map<std::vector<std::string>, std::string> places;
  visit_rows(file, format, [&](const Json& row, const std::string& where) {
    RationaleJudgement judgement{name_of(row, "id", where), name_of(row, "kind", where), false, 0,
                                 where};
    judgement.justifies = word_of(row, "justifies", kAnswers, where) == 1;
    if (judgement.justifies) judgement.amount = word_of(row, "amount", kAmounts, where);
    const std::string annotator = optional_text(row, "annotator", where);
    if (!annotator.empty()) {
      const auto [first, is_new] =
          places.emplace(std::vector{judgement.id, judgement.kind, annotator}, where);
      if (!is_new) {
        throw InputError("the annotator " + json_quote(annotator) + " judges id " +
                             json_quote(judgement.id) + " of " + judgement.kind + " twice",
                         first->second + " and " + where);
      }
    }
    judgements.push_back(std::move(judgement));
    return true;
  });
  if (judgements.empty()) throw InputError("the file has no rows", file.string());
  return judgements;
}

}  // namespace rubric
