// A judge's verdicts as the scores of a metric.
#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <type_traits>
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

Json row_of(const judge::LedgerEntry& entry) {
  Json row;
  row["id"] = entry.answer.id;
  row["system"] = entry.answer.source;
  row["language"] = entry.language;
  row["passage"] = entry.passage_hash;  // tells questions of several passages apart
  row["question"] = entry.answer.question;
  row["candidate"] = entry.answer.candidate;
  return row;
}

}  // namespace

JudgedSource judged_source(const judge::Ledger& ledger, const std::string& aspect,
                           const std::filesystem::path& file, std::vector<std::string>& notes) {
  const size_t which = aspect_of(aspect);
  JudgedSource judged{{file, data::InputFormat::kJsonl, {}, {}, {}}, {}};
  const std::vector<judge::LastVerdicts> replies = judge::last_verdicts(ledger, file.string());
  for (const auto& [entry, verdicts] : replies) {
    Json& row = judged.source.rows.emplace_back(row_of(*entry));
    row["scores"][entry->judge] = verdicts && (*verdicts)[which] ? 1 : 0;
    judged.source.places.push_back(file.string() + ":" +
                                   std::to_string(entry - ledger.entries.data() + 1));
    judged.source.ids.push_back(entry->answer.id);
    judged.is_unread.push_back(!verdicts);
  }
  const std::string note =
      judge::unread_note(replies, "these answers are left out, with their labels");
  if (!note.empty()) notes.push_back(note);
  return judged;
}

void leave_out(const std::vector<bool>& is_left_out, LabelledAnswers& answers) {
  if (std::ranges::count(is_left_out, true) == 0) return;
  std::vector<size_t> rows;
  std::vector<uint32_t> numbers(is_left_out.size());
  for (size_t row = 0; row < is_left_out.size(); ++row) {
    numbers[row] = static_cast<uint32_t>(rows.size());
    if (!is_left_out[row]) rows.push_back(row);
  }
  const auto keep = [](const std::vector<size_t>& places, auto& values) {
    if (values.empty()) return;
    std::remove_reference_t<decltype(values)> kept;
    for (const size_t place : places) kept.push_back(values[place]);
    values = std::move(kept);
  };
  std::ranges::for_each(answers.scores, [&](auto& scores) { keep(rows, scores); });
  for (auto* const values : {&answers.systems, &answers.strata, &answers.questions.of}) {
    keep(rows, *values);
  }
  keep(rows, answers.groups);
  answers.questions = stats::clusters_by(answers.questions.of);
  std::vector<size_t> labels;
  for (size_t l = 0; l < answers.labelled.size(); ++l) {
    if (!is_left_out[answers.labelled[l]]) labels.push_back(l);
  }
  answers.left_out += std::ssize(answers.labelled) - std::ssize(labels);
  keep(labels, answers.labelled);
  for (uint32_t& row : answers.labelled) row = numbers[row];
  keep(labels, answers.labels);
  keep(labels, answers.probabilities);
}

namespace {

// The last replies, by system and id.
using Replies = std::map<std::pair<std::string, std::string>, const judge::LastVerdicts*>;

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

// Adds the scores JUDGE:C, JUDGE:H, JUDGE:I and JUDGE:E to a row.
void add_scores(const judge::LastVerdicts& reply, const std::string& where, Json& row) {
  Json& scores = row["scores"];
  if (data::is_missing(&scores)) scores = Json(Json::Object());
  for (size_t a = 0; a < judge::kAspects.size(); ++a) {
    const std::string name = reply.entry->judge + ":" + judge::kAspects[a];
    if (!scores.is_object() || scores.find(name) != nullptr || row.find(name) != nullptr) {
      throw InputError("the row has " +
                           (scores.is_object() ? "a score " + json_quote(name)
                                               : "a field \"scores\" without names") +
                           " beside those of the ledger",
                       where, "leave it out of the rows, or leave --ledger out");
    }
    if (reply.verdicts) scores[name] = (*reply.verdicts)[a] ? 1 : 0;
  }
}

}  // namespace

void add_verdicts(const judge::Ledger& ledger, const std::filesystem::path& file,
                  const std::string& human, const std::string& system, data::ScoredSource& source,
                  std::vector<std::string>& notes) {
  const std::vector<judge::LastVerdicts> all = judge::last_verdicts(ledger, file.string());
  Replies replies;
  std::set<std::string> systems;
  for (const judge::LastVerdicts& reply : all) {
    replies[{reply.entry->answer.source, reply.entry->answer.id}] = &reply;
    systems.insert(reply.entry->answer.source);
  }
  const std::string field =
      system.empty() ? data::likely_system(source) : data::field_in(source, system);
  if (field.empty() && systems.size() > 1) {
    throw InputError("the ledger has replies about " + join_some({systems.begin(), systems.end()}) +
                         ", and the rows do not say whose answers they are",
                     source.file.string(), "name the field of the systems: --system FIELD");
  }
  std::vector<judge::LastVerdicts> used;
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
    require_its_candidate(*reply->second->entry, row, source.places[i]);
    add_scores(*reply->second, source.places[i], row);
    used.push_back(*reply->second);
  }
  if (!unjudged.empty()) {
    throw InputError(
        counted(std::ssize(unjudged), "row with a label has", "rows with a label have") +
            " no reply in the ledger " + file.string(),
        join_some(unjudged), "judge them, or leave them out; replies are found by id and system");
  }
  const std::string note = judge::unread_note(used, "their rows have no scores of the judge");
  if (!note.empty()) notes.push_back(note);
}

}  // namespace rubric::eval
