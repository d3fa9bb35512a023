#include "eval/chie/assessments.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rows/rows.h"
#include "judge/ledger/ledger.h"

namespace rubric::eval {

namespace {

Opinion opinion_of(const std::optional<judge::Verdicts>& verdicts) {
  Opinion opinion;
  if (verdicts) std::ranges::copy(*verdicts, opinion.begin());
  return opinion;
}

bool is_assessed(const std::optional<Opinion>& opinion) {
  return opinion.has_value();
}

// An assessor for each annotator, in the order of names.
std::vector<Assessor> assessors_of(std::span<const HumanLabel> labels,
                                   const std::vector<const judge::LedgerEntry*>& answers) {
  // All of a system's answers are in one language.
  std::map<std::pair<std::string, std::string>, size_t> places;
  for (size_t i = 0; i < answers.size(); ++i) {
    places.emplace(std::pair(answers[i]->answer.source, answers[i]->answer.id), i);
  }
  constexpr size_t kMostAnnotators = 100;
  std::map<std::string, Assessor> assessors;
  std::map<std::pair<std::string, size_t>, const HumanLabel*> seen;
  for (const HumanLabel& label : labels) {
    const auto [named, is_new_name] = assessors.try_emplace(label.annotator);
    Assessor& assessor = named->second;
    if (is_new_name) assessor = {label.annotator, {answers.size(), std::nullopt}};
    if (assessors.size() > kMostAnnotators) {
      throw InputError("there are more than " + std::to_string(kMostAnnotators) + " annotators",
                       label.where, "name the annotators in the column \"annotator\"");
    }
    const auto place = places.find({label.system, label.id});
    if (place == places.end() ||
        (!label.language.empty() && label.language != answers[place->second]->language)) {
      ++assessor.others;
      continue;
    }
    // One of the rows may omit the language.
    const auto [first, is_new] = seen.emplace(std::pair(label.annotator, place->second), &label);
    if (!is_new) throw labelled_twice(*first->second, label);
    assessor.opinions[place->second] = opinion_of(label.verdicts);
  }
  std::vector<Assessor> in_order;
  for (auto& [name, assessor] : assessors) in_order.push_back(std::move(assessor));
  return in_order;
}

// The majority's opinion of one answer.
std::optional<Opinion> majority_of(const std::vector<Assessor>& assessors, size_t answer,
                                   HumanMajority& majority) {
  std::vector<Opinion> opinions;
  for (const Assessor& assessor : assessors) {
    if (assessor.opinions[answer]) opinions.push_back(*assessor.opinions[answer]);
  }
  if (opinions.empty()) return std::nullopt;
  if (opinions.size() < assessors.size()) ++majority.incomplete;
  Opinion result;
  for (size_t i = 0; i < judge::kAspects.size(); ++i) {
    const auto yes =
        std::ranges::count_if(opinions, [&](const Opinion& opinion) { return *opinion[i]; });
    const auto no = std::ssize(opinions) - yes;
    if (yes == no) {
      ++majority.ties;
    } else {
      result[i] = yes > no;
    }
  }
  return result;
}

// Removes `annotators` from `assessors` and returns them.
std::vector<Assessor> take_named(const std::vector<std::string>& annotators,
                                 std::vector<Assessor>& assessors) {
  std::vector<std::string> names;
  for (const Assessor& assessor : assessors) names.push_back(assessor.name);
  std::vector<Assessor> named;
  for (const std::string& annotator : annotators) {
    const auto found = std::ranges::find(assessors, annotator, &Assessor::name);
    if (found == assessors.end()) throw unknown_name("annotator", annotator, names, "--annotator");
    named.push_back(std::move(*found));
    assessors.erase(found);
  }
  return named;
}

// Names the part that differs between two entries of one answer; null if none.
const char* difference(const judge::LedgerEntry& first, const judge::LedgerEntry& second) {
  if (first.passage_hash != second.passage_hash) return "passage";
  if (first.answer.question != second.answer.question) return "question";
  if (first.answer.candidate != second.answer.candidate) return "answer";
  return nullptr;
}

bool verdict_of(const Json& row, const char* aspect, const std::string& where) {
  const Json& value = row.require(aspect, where);
  if (value.is_bool()) return value.boolean();
  const std::string given = data::optional_text(row, aspect, where);
  const std::string text = ascii_lower(trim(given));
  const std::vector<std::string> yes = {"1", "1.0", "true", "agree"},
                                 no = {"0", "0.0", "false", "disagree"};
  if (std::ranges::count(yes, text) > 0) return true;
  if (std::ranges::count(no, text) > 0) return false;
  throw InputError("the field " + json_quote(aspect) + " is " + json_quote(given), where,
                   "write 1, true or agree, or else 0, false or disagree");
}

}  // namespace

std::vector<MajorityCounts> majority_counts(const ChieAssessments& assessments) {
  std::vector<MajorityCounts> counts;
  for (size_t i = 0; assessments.majority && i < assessments.answers.size(); ++i) {
    const std::string& system = assessments.answers[i]->answer.source;
    if (counts.empty() || counts.back().system != system) counts.push_back({system});
    const std::optional<Opinion>& opinion = assessments.majority->assessor.opinions[i];
    if (!opinion) continue;
    ++counts.back().n;
    for (size_t aspect = 0; aspect < judge::kAspects.size(); ++aspect) {
      counts.back().agreed[aspect] += (*opinion)[aspect].value_or(false) ? 1 : 0;
      counts.back().ties[aspect] += (*opinion)[aspect] ? 0 : 1;
    }
  }
  return counts;
}

ChieAssessments assessments_of(const ChieEvaluation& evaluation, const std::string& judge) {
  ChieAssessments assessments;
  Assessor assessor{judge, {}};
  for (const ChieSystem& system : evaluation.systems) {
    for (const ChieAnswer& answer : system.answers) {
      assessments.answers.push_back(answer.entry);
      assessor.opinions.emplace_back(opinion_of(answer.verdicts));
    }
  }
  assessments.judges.push_back(std::move(assessor));
  return assessments;
}

void add_judge(ChieAssessments& assessments, const ChieEvaluation& evaluation,
               const std::string& judge, const std::string& where) {
  std::map<judge::JudgedAnswer, size_t> places;
  for (size_t i = 0; i < assessments.answers.size(); ++i) {
    places.emplace(judge::judged_answer(*assessments.answers[i]), i);
  }
  Assessor assessor{judge, {}};
  assessor.opinions.resize(assessments.answers.size());
  for (const ChieSystem& system : evaluation.systems) {
    for (const ChieAnswer& answer : system.answers) {
      const auto place = places.find(judge::judged_answer(*answer.entry));
      if (place == places.end()) {
        ++assessor.others;
        continue;
      }
      const judge::LedgerEntry& ours = *assessments.answers[place->second];
      if (const char* other = difference(ours, *answer.entry)) {
        throw InputError("id " + json_quote(ours.answer.id) + " of " + system.name +
                             " is another " + other + " than in the first ledger",
                         where, "compare judges of the same answers");
      }
      assessor.opinions[place->second] = opinion_of(answer.verdicts);
    }
  }
  if (std::ranges::none_of(assessor.opinions, is_assessed)) {
    throw InputError("none of the first ledger's answers is judged", where,
                     "answers are the same by system, language and id");
  }
  assessments.judges.push_back(std::move(assessor));
}

void add_humans(ChieAssessments& assessments, std::span<const HumanLabel> labels,
                std::vector<std::string> annotators) {
  std::vector<Assessor> assessors = assessors_of(labels, assessments.answers);
  if (annotators.empty()) {
    for (const Assessor& assessor : assessors) annotators.push_back(assessor.name);
  }
  const std::vector<Assessor> named = take_named(annotators, assessors);
  HumanMajority majority{{"majority of humans " + join(annotators), {}}, annotators};
  for (const Assessor& assessor : named) majority.assessor.others += assessor.others;
  for (size_t i = 0; i < assessments.answers.size(); ++i) {
    majority.assessor.opinions.push_back(majority_of(named, i, majority));
  }
  if (std::ranges::none_of(majority.assessor.opinions, is_assessed)) {
    std::set<std::string> languages;
    for (const judge::LedgerEntry* answer : assessments.answers) languages.insert(answer->language);
    throw InputError("none of the ledger's answers is labelled by " + join(annotators),
                     labels.front().where,
                     "name system, language (" + join({languages.begin(), languages.end()}) +
                         ") and id as the ledger does");
  }
  assessments.majority = std::move(majority);
  for (Assessor& assessor : assessors) {
    assessor.name = "human " + assessor.name;
    if (std::ranges::count(assessments.judges, assessor.name, &Assessor::name) > 0) {
      throw InputError("a judge and an annotator are both called " + assessor.name,
                       labels.front().where, "rename the annotator");
    }
    assessments.humans.push_back(std::move(assessor));
  }
}

std::vector<HumanLabel> read_human_labels(const std::filesystem::path& file) {
  const data::InputFormat format = data::input_format("", file, "a name in .jsonl, .csv or .tsv");
  if (!data::has_rows(format)) {
    throw InputError("human labels are read as rows", file.string(),
                     "write JSON lines (.jsonl) or a table (.csv, .tsv)");
  }
  std::vector<HumanLabel> labels;
  std::map<std::tuple<std::string, std::string, std::string, std::string>, size_t> places;
  data::visit_rows(file, format, [&](const Json& row, const std::string& where) {
    const auto text = [&](const char* field) {
      return data::required_text(row, field, where,
                                 "say of which answer, and whose, the verdicts are");
    };
    HumanLabel label{text("system"),
                     data::optional_text(row, "language", where),
                     text("id"),
                     text("annotator"),
                     {},
                     where};
    for (size_t i = 0; i < judge::kAspects.size(); ++i) {
      label.verdicts[i] = verdict_of(row, judge::kAspects[i], where);
    }
    const auto [first, is_new] = places.try_emplace(
        {label.system, label.language, label.id, label.annotator}, labels.size());
    if (!is_new) throw labelled_twice(labels[first->second], label);
    labels.push_back(std::move(label));
    return true;
  });
  if (labels.empty()) throw InputError("the file has no rows", file.string());
  return labels;
}

InputError labelled_twice(const HumanLabel& first, const HumanLabel& second) {
  return InputError("the annotator " + json_quote(first.annotator) + " labels id " +
                        json_quote(first.id) + " of " + first.system + " twice",
                    first.where + " and " + second.where, "take one of the rows out");
}

}  // namespace rubric::eval
