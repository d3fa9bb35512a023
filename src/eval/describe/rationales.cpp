#include <algorithm>
#include <set>
#include <utility>

#include "data/answers/mocha_statistics.h"
#include "data/rationales/rationale_rows.h"
#include "eval/describe/describe.h"
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

std::string choices_text(const RationaleCounts& counts) {
  const std::string least = std::to_string(counts.least_choices);
  const bool is_one = counts.least_choices == counts.most_choices;
  return is_one ? least : least + "–" + std::to_string(counts.most_choices);
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

Table labels_table(std::span<const RationaleCounts> splits) {
  std::set<std::string> names;
  for (const RationaleCounts& split : splits) {
    for (const auto& [name, count] : split.labels) names.insert(name);
  }
  Table table{"Labels", {"split"}, {}, {Align::left}, {}};
  table.header.insert(table.header.end(), names.begin(), names.end());
  for (const RationaleCounts& split : splits) {
    if (split.labels.empty()) continue;
    std::vector<std::string> row = {split.split};
    for (const std::string& name : names) {
      const auto found = split.labels.find(name);
      row.push_back(std::to_string(found == split.labels.end() ? 0 : found->second));
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

Json rationale_counts_json(const RationaleCounts& counts) {
  Json json =
      Json::Object{{"examples", counts.examples}, {"rationale words", counts.rationale_words}};
  if (!has_questions(counts)) return json;
  json["questions"] = counts.questions;
  json["least choices"] = counts.least_choices;
  json["most choices"] = counts.most_choices;
  json["rationales with label"] = counts.with_label;
  for (const auto& [name, count] : counts.labels) json["labels"][name] = count;
  return json;
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

std::vector<Table> rationale_description_tables(std::span<const RationaleCounts> splits) {
  Table table{"Examples",
              {"split", "examples", "questions", "choices", "words", "with label"},
              {},
              {Align::left},
              notes_of(splits)};
  for (const RationaleCounts& split : splits) {
    const bool asks = has_questions(split);
    table.rows.push_back({split.split, std::to_string(split.examples),
                          asks ? std::to_string(split.questions) : "",
                          asks ? choices_text(split) : "", format_fixed(split.rationale_words, 1),
                          asks ? std::to_string(split.with_label) : ""});
  }
  std::vector<Table> tables = {std::move(table)};
  if (std::ranges::any_of(splits, has_questions)) tables.push_back(labels_table(splits));
  return tables;
}

Table rationale_description_value_table(std::span<const RationaleCounts> splits) {
  Table table{"", {"split", "figure", "value"}, {}, {}, {}};
  for (const RationaleCounts& split : splits) {
    const Json counts = rationale_counts_json(split);
    for (const auto& [statistic, value] : counts.object()) {
      if (value.is_number()) {
        table.rows.push_back({split.split, statistic, value.number_text()});
        continue;
      }
      for (const auto& [label, count] : value.object()) {
        table.rows.push_back({split.split, "label " + label, count.number_text()});
      }
    }
  }
  return table;
}

Json to_json(std::span<const RationaleCounts> splits) {
  Json json;
  for (const RationaleCounts& split : splits)
    json["splits"][split.split] = rationale_counts_json(split);
  const std::vector<std::string> notes = notes_of(splits);
  json["notes"] = Json::Array(notes.begin(), notes.end());
  return json;
}

}  // namespace rubric::eval
