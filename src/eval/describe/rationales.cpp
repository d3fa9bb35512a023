#include <algorithm>
#include <set>
#include <utility>

#include "data/answers/mocha_statistics.h"
#include "data/rationales/rationale_rows.h"
#include "eval/describe/describe.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"
#include "metrics/ngram/squad.h"

namespace rubric::eval {
namespace {

constexpr const char* kWords =
    "words: the mean length of the rationales in words of BERT's basic tokenizer (cased).";
constexpr const char* kWithLabel =
    "with label: rationales in which the label's words stand together, both normalised as SQuAD's "
    "answers are.";

std::string label_name(const data::Rationale& record) {
  if (record.question.empty()) return record.label;
  const auto found = std::ranges::find(record.choices, record.label);
  if (found == record.choices.end()) return "no choices";
  return "choice " + std::to_string(found - record.choices.begin() + 1);
}

bool has_questions(const RationaleCounts& counts) {
  return counts.questions > 0;
}

std::vector<std::string> notes_of(std::span<const RationaleCounts> splits) {
  std::vector<std::string> notes = {kWords};
  if (std::ranges::any_of(splits, has_questions)) notes.emplace_back(kWithLabel);
  for (const RationaleCounts& split : splits) {
    for (const std::string& problem : split.unusable) {
      notes.push_back(split.split + ", left out: " + problem);
    }
  }
  return notes;
}

void add_split(const RationaleCounts& counts, const std::set<std::string>& labels, Result& result) {
  Adder add{result.measurements, {.subset = counts.split}};
  add.counts({{"examples", counts.examples}});
  add("rationale_words", counts.rationale_words);
  if (!has_questions(counts)) return;
  add.counts({{"questions", counts.questions},
              {"least_choices", counts.least_choices},
              {"most_choices", counts.most_choices},
              {"with_label", counts.with_label}});
  for (const std::string& label : labels) {
    const auto found = counts.labels.find(label);
    add.keys.group = label;
    add.counts({{"examples", found == counts.labels.end() ? 0 : found->second}});
  }
}

}  // namespace

RationaleCounts count_rationales(const std::string& split,
                                 std::span<const data::Rationale> records) {
  RationaleCounts counts;
  counts.split = split;
  std::set<std::pair<std::string, std::string>> questions;
  int64_t words = 0;
  for (const data::Rationale& record : records) {
    ++counts.examples;
    words += data::word_count(record.rationale);
    if (record.label.empty()) continue;
    questions.emplace(record.premise.empty() ? record.question : record.premise, record.hypothesis);
    const int64_t choices = std::ssize(record.choices);
    const bool is_first = counts.labels.empty();
    counts.least_choices = is_first ? choices : std::min(counts.least_choices, choices);
    counts.most_choices = std::max(counts.most_choices, choices);
    if (metrics::contains_answer({&record.label, 1}, record.rationale) > 0) ++counts.with_label;
    ++counts.labels[label_name(record)];
  }
  counts.questions = std::ssize(questions);
  if (counts.examples > 0) {
    counts.rationale_words = static_cast<double>(words) / static_cast<double>(counts.examples);
  }
  return counts;
}

std::vector<RationaleCounts> count_sample(const std::string& split, const std::string& rest,
                                          const std::vector<data::Rationale>& records, double share,
                                          uint64_t seed) {
  const data::RationaleSample parts = data::draw_rationales(records, share, seed);
  std::vector<RationaleCounts> counts = {count_rationales(split, parts.drawn)};
  if (!rest.empty()) counts.push_back(count_rationales(rest, parts.rest));
  return counts;
}

Result rationale_description(std::span<const RationaleCounts> splits) {
  std::set<std::string> labels;
  for (const RationaleCounts& split : splits) {
    for (const auto& [name, count] : split.labels) labels.insert(name);
  }
  Result result{.title = "Rationales"};
  for (const RationaleCounts& split : splits) add_split(split, labels, result);
  add_totals({"examples"}, result);
  result.tables = {read_layout("describe", "rationales"), read_layout("describe", "labels")};
  result.tables.front().notes = notes_of(splits);
  return result;
}

}  // namespace rubric::eval
