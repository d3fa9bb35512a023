// A judge's verdicts as the scores of a metric.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/text/ascii.h"
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

namespace {

// The last replies, by system and id.
using Replies = std::map<std::pair<std::string, std::string>, const judge::LedgerEntry*>;

void require_its_candidate(const judge::LedgerEntry& entry, const Json& row,
                           const std::string& where) {
  const Json* const candidate = row.find("candidate");
  const std::string& judged = entry.answer.candidate;
  if (candidate == nullptr || !candidate->is_string()) return;
  if (trim(candidate->string()) == trim(judged)) return;
  throw InputError("the ledger has a reply about another answer of the id " +
                       json_quote(entry.answer.id) + ": " + json_quote(judged),
                   where, "give the rows the ids and systems of the answers that were judged");
}

}  // namespace

void add_verdicts(const judge::Ledger& ledger, const std::string& human, const std::string& system,
                  data::ScoredSource& source, std::vector<std::string>& notes) {
  Replies replies;
  std::set<std::string> systems;
  for (const judge::LedgerEntry* const entry : judge::last_attempts(
           ledger.entries, judge::Judgements::verdicts, "", source.file.string())) {
    replies[{entry->answer.source, entry->answer.id}] = entry;
    systems.insert(entry->answer.source);
  }
  const std::string field =
      system.empty() ? data::likely_system(source) : data::field_in(source, system);
  if (field.empty() && systems.size() > 1) {
    throw InputError("the ledger has replies about " + join_some({systems.begin(), systems.end()}) +
                         ", and the rows do not say whose answers they are",
                     source.file.string(), "name the field of the systems: --system FIELD");
  }
  int64_t without = 0;
  std::vector<std::string> unjudged;
  for (size_t i = 0; i < source.rows.size(); ++i) {
    Json& row = source.rows[i];
    if (data::is_missing(data::find_field(row, human))) continue;
    const std::string name =
        field.empty() ? *systems.begin() : data::name_of(data::find_field(row, field).get());
    const auto reply = replies.find({name, source.ids[i]});
    if (reply == replies.end()) {
      unjudged.push_back(source.places[i]);
      continue;
    }
    const judge::LedgerEntry& entry = *reply->second;
    require_its_candidate(entry, row, source.places[i]);
    const std::optional<judge::Verdicts> verdicts = judge::published_verdicts(entry.reply);
    without += verdicts ? 0 : 1;
    Json& scores = row["scores"];
    if (!scores.is_object()) scores = Json(Json::Object());
    if (!verdicts) continue;
    for (size_t a = 0; a < judge::kAspects.size(); ++a) {
      scores[entry.judge + ":" + judge::kAspects[a]] = (*verdicts)[a] ? 1 : 0;
    }
  }
  if (!unjudged.empty()) {
    throw InputError(
        counted(std::ssize(unjudged), "row with a label has", "rows with a label have") +
            " no reply in the ledger",
        join_some(unjudged), "judge them, or leave them out; replies are found by id and system");
  }
  if (without > 0) {
    notes.push_back(counted(without, "reply holds no verdicts: its row has",
                            "replies hold no verdicts: their rows have") +
                    " no scores of the judge");
  }
}

}  // namespace rubric::eval
