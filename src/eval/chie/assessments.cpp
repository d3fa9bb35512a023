#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/text/ascii.h"
#include "data/rows/names.h"
#include "data/rows/rows.h"
#include "eval/chie/chie.h"
#include "judge/ledger/ledger.h"

namespace rubric::eval {
namespace {

Ratings ratings_of(const std::optional<judge::Verdicts>& verdicts) {
  Ratings rating;
  if (verdicts) std::ranges::copy(*verdicts, rating.begin());
  return rating;
}

bool is_assessed(const std::optional<Ratings>& rating) {
  return rating.has_value();
}

// A rater for each annotator, in the order of names.
std::vector<Rater> raters_of(std::span<const HumanLabel> labels,
                             const std::vector<const judge::LedgerEntry*>& answers) {
  // All of a system's answers are in one language.
  std::map<std::pair<std::string, std::string>, size_t> places;
  for (size_t i = 0; i < answers.size(); ++i) {
    places.emplace(std::pair(answers[i]->answer.source, answers[i]->answer.id), i);
  }
  constexpr size_t kMostAnnotators = 100;
  std::map<std::string, Rater> raters;
  std::map<std::pair<std::string, size_t>, const HumanLabel*> seen;
  for (const HumanLabel& label : labels) {
    const auto [named, is_new_name] = raters.try_emplace(label.annotator);
    Rater& rater = named->second;
    if (is_new_name) rater = {label.annotator, {answers.size(), std::nullopt}};
    if (raters.size() > kMostAnnotators) {
      throw InputError("there are more than " + std::to_string(kMostAnnotators) + " annotators",
                       label.where, "name the annotators in the column \"annotator\"");
    }
    const auto place = places.find({label.system, label.id});
    if (place == places.end() ||
        (!label.language.empty() && label.language != answers[place->second]->language)) {
      ++rater.others;
      continue;
    }
    // One of the rows may omit the language.
    const auto [first, is_new] = seen.emplace(std::pair(label.annotator, place->second), &label);
    if (!is_new) throw labelled_twice(*first->second, label);
    rater.ratings[place->second] = ratings_of(label.verdicts);
  }
  std::vector<Rater> in_order;
  for (auto& [name, rater] : raters) in_order.push_back(std::move(rater));
  return in_order;
}

// The majority's rating of one answer.
std::optional<Ratings> majority_of(const std::vector<Rater>& raters, size_t answer,
                                   HumanMajority& majority) {
  std::vector<Ratings> ratings;
  for (const Rater& rater : raters) {
    if (rater.ratings[answer]) ratings.push_back(*rater.ratings[answer]);
  }
  if (ratings.empty()) return std::nullopt;
  if (ratings.size() < raters.size()) ++majority.incomplete;
  Ratings result;
  for (size_t i = 0; i < judge::kAspects.size(); ++i) {
    const auto yes =
        std::ranges::count_if(ratings, [&](const Ratings& rating) { return *rating[i]; });
    const auto no = std::ssize(ratings) - yes;
    if (yes == no) {
      ++majority.ties;
    } else {
      result[i] = yes > no;
    }
  }
  return result;
}

// Removes `annotators` from `raters` and returns them.
std::vector<Rater> take_named(const std::vector<std::string>& annotators,
                              std::vector<Rater>& raters) {
  std::vector<std::string> names;
  for (const Rater& rater : raters) names.push_back(rater.name);
  std::vector<Rater> named;
  for (const std::string& annotator : annotators) {
    const auto found = std::ranges::find(raters, annotator, &Rater::name);
    if (found == raters.end()) throw unknown_name("annotator", annotator, names, "--annotator");
    named.push_back(std::move(*found));
    raters.erase(found);
  }
  return named;
}

// Names the part that differs between two entries of one answer; null if they are the same.
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

ChieAssessments assessments_of(const ChieEvaluation& evaluation, const std::string& judge) {
  ChieAssessments assessments;
  Rater rater{judge, {}};
  for (const ChieSystem& system : evaluation.systems) {
    for (const ChieAnswer& answer : system.answers) {
      assessments.answers.push_back(answer.entry);
      rater.ratings.emplace_back(ratings_of(answer.verdicts));
    }
  }
  assessments.judges.push_back(std::move(rater));
  return assessments;
}

void add_judge(ChieAssessments& assessments, const ChieEvaluation& evaluation,
               const std::string& judge, const std::string& where) {
  std::map<judge::JudgedAnswer, size_t> places;
  for (size_t i = 0; i < assessments.answers.size(); ++i) {
    places.emplace(judge::judged_answer(*assessments.answers[i]), i);
  }
  Rater rater{judge, {}};
  rater.ratings.resize(assessments.answers.size());
  for (const ChieSystem& system : evaluation.systems) {
    for (const ChieAnswer& answer : system.answers) {
      const auto place = places.find(judge::judged_answer(*answer.entry));
      if (place == places.end()) {
        ++rater.others;
        continue;
      }
      const judge::LedgerEntry& ours = *assessments.answers[place->second];
      if (const char* other = difference(ours, *answer.entry)) {
        throw InputError("id " + json_quote(ours.answer.id) + " of " + system.name +
                             " is another " + other + " than in the first ledger",
                         where, "compare judges of the same answers");
      }
      rater.ratings[place->second] = ratings_of(answer.verdicts);
    }
  }
  if (std::ranges::none_of(rater.ratings, is_assessed)) {
    throw InputError("the ledger has no judgement of the first ledger's answers", where,
                     "answers are the same by system, language and id");
  }
  assessments.judges.push_back(std::move(rater));
}

void add_humans(ChieAssessments& assessments, std::span<const HumanLabel> labels,
                std::vector<std::string> annotators) {
  std::vector<Rater> raters = raters_of(labels, assessments.answers);
  if (annotators.empty()) {
    for (const Rater& rater : raters) annotators.push_back(rater.name);
  }
  const std::vector<Rater> named = take_named(annotators, raters);
  HumanMajority majority{{"majority of humans " + join(annotators), {}}, annotators};
  for (const Rater& rater : named) majority.rater.others += rater.others;
  for (size_t i = 0; i < assessments.answers.size(); ++i) {
    majority.rater.ratings.push_back(majority_of(named, i, majority));
  }
  if (std::ranges::none_of(majority.rater.ratings, is_assessed)) {
    std::set<std::string> languages;
    for (const judge::LedgerEntry* answer : assessments.answers) languages.insert(answer->language);
    throw InputError("no answer of the ledger is labelled by " + join(annotators),
                     labels.front().where,
                     "name system, language (" + join({languages.begin(), languages.end()}) +
                         ") and id as the ledger does");
  }
  if (std::ranges::count(assessments.judges, kMajority, &Rater::name) > 0) {
    throw InputError(
        std::string("a judge is called ") + kMajority + ", as the annotators' majority is",
        labels.front().where, "give the judge another name in its ledger");
  }
  assessments.majority = std::move(majority);
  for (Rater& rater : raters) {
    rater.name = "human " + rater.name;
    if (std::ranges::count(assessments.judges, rater.name, &Rater::name) > 0) {
      throw InputError("a judge and an annotator are both called " + rater.name,
                       labels.front().where, "rename the annotator");
    }
    assessments.humans.push_back(std::move(rater));
  }
}

std::vector<HumanLabel> read_human_labels(const std::filesystem::path& file) {
  const data::InputFormat format = data::input_format("", file, "a name in .jsonl, .csv or .tsv");
  if (!data::has_rows(format)) {
    throw InputError("human labels are read as rows", file.string(),
                     "write JSON lines (.jsonl) or a table (.csv, .tsv)");
  }
  std::vector<HumanLabel> labels;
  data::NamesInField systems("system"), ids("id", /*are_ids=*/true), annotators("annotator");
  std::map<std::tuple<std::string, std::string, std::string, std::string>, size_t> places;
  data::visit_rows(file, format, [&](const Json& row, const std::string& where) {
    const auto text = [&](const char* field) {
      return data::required_text(row, field, where,
                                 "name the answer and the annotator of the verdicts");
    };
    HumanLabel label{systems.add(text("system"), where),
                     data::optional_text(row, "language", where),
                     ids.add(text("id"), where),
                     annotators.add(text("annotator"), where),
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
  if (labels.empty()) throw no_rows(file);
  for (const data::NamesInField* const names : {&systems, &ids, &annotators}) names->warn();
  return labels;
}

InputError labelled_twice(const HumanLabel& first, const HumanLabel& second) {
  return InputError("the annotator " + json_quote(first.annotator) + " labels id " +
                        json_quote(first.id) + " of " + first.system + " twice",
                    first.where + " and " + second.where, "take one of the rows out");
}

}  // namespace rubric::eval
