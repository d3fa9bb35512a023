// A judge's verdicts as the scores of a metric.
#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "eval/estimate/estimate.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::eval {
namespace {

size_t aspect_of(const std::string& name) {
  const std::vector<std::string> aspects(judge::kAspects.begin(), judge::kAspects.end());
  const auto found = std::ranges::find(aspects, name);
  if (found != aspects.end()) return static_cast<size_t>(found - aspects.begin());
  throw InputError("a judge has no verdict \"" + name + "\"", "--human",
                   "name the one that the labels are of: C (correct), H (helpful), I (irrelevant) "
                   "or E (extraneous)");
}

Json row_of(const judge::LedgerEntry& entry, bool agrees) {
  Json row;
  row["id"] = entry.answer.id;
  row["system"] = entry.answer.source;
  row["language"] = entry.language;
  row["passage"] = entry.passage_hash;  // tells questions of several passages apart
  row["question"] = entry.answer.question;
  row["candidate"] = entry.answer.candidate;
  row["scores"][entry.judge] = agrees ? 1 : 0;
  return row;
}

}  // namespace

data::ScoredSource judged_source(const judge::Ledger& ledger, const std::string& aspect,
                                 const std::filesystem::path& file,
                                 std::vector<std::string>& notes) {
  const size_t which = aspect_of(aspect);
  data::ScoredSource source{file, data::InputFormat::kJsonl, {}, {}, {}};
  int64_t without = 0;
  for (const judge::LedgerEntry* const entry :
       judge::last_attempts(ledger.entries, judge::Judgements::verdicts, "", file.string())) {
    const std::optional<judge::Verdicts> verdicts = judge::published_verdicts(entry->reply);
    without += verdicts ? 0 : 1;
    source.rows.push_back(row_of(*entry, verdicts && (*verdicts)[which]));
    source.places.push_back(file.string() + ":" +
                            std::to_string(entry - ledger.entries.data() + 1));
    source.ids.push_back(entry->answer.id);
  }
  if (without > 0) {
    notes.push_back(counted(without, "reply holds no verdicts and counts",
                            "replies hold no verdicts and count") +
                    " as no: the judge does not agree, as in `evaluate chie`");
  }
  return source;
}

}  // namespace rubric::eval
