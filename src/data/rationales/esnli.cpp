#include "data/rationales/esnli.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "core/json/json.h"
#include "data/rows/csv.h"

namespace rubric::data {
namespace {

constexpr int64_t kMostExplanations = 3;

// The column names and labels of a file's form.
struct Form {
  const char* description;
  const char *id, *label, *premise, *hypothesis, *explanation;  // `explanation` without its number
  std::map<std::string, std::string> labels;
};

const Form& published_form() {
  static const Form form = {
      "e-SNLI's CSV with pairID, gold_label, Sentence1, Sentence2 and "
      "Explanation_1 (training files have no more) to Explanation_3",
      "pairID",
      "gold_label",
      "Sentence1",
      "Sentence2",
      "Explanation_",
      {{"entailment", "entailment"}, {"neutral", "neutral"}, {"contradiction", "contradiction"}}};
  return form;
}

const Form& las_form() {
  static const Form form = {
      "LAS's TSV with unique_key, label, premise, hypothesis, explanation1 to explanation3",
      "unique_key",
      "label",
      "premise",
      "hypothesis",
      "explanation",
      {{"0", "neutral"}, {"1", "entailment"}, {"2", "contradiction"}}};
  return form;
}

struct Explanation {
  size_t column;
  std::string id_end;  // suffix of an example's id
};

std::vector<Explanation> explanations_of(const ColumnTable& table, const Form& form,
                                         int64_t explanation) {
  const auto name = [&](int64_t number) { return form.explanation + std::to_string(number); };
  const auto column = [&](int64_t number) {
    return column_of(table, name(number), form.description);
  };
  if (explanation != kAllExplanations) return {{column(explanation), ""}};
  std::vector<Explanation> all = {{column(1), "/1"}};
  for (int64_t number = 2; number <= kMostExplanations; ++number) {
    if (!has_column(table, name(number))) continue;
    all.push_back({column(number), "/" + std::to_string(number)});
  }
  return all;
}

}  // namespace

std::vector<RationaleExample> read_esnli(const std::filesystem::path& file, int64_t explanation) {
  const ColumnTable table = read_columns(file);
  const Form& form = has_column(table, las_form().id) ? las_form() : published_form();
  const auto column = [&](const char* name) { return column_of(table, name, form.description); };
  const size_t id = column(form.id), label = column(form.label), premise = column(form.premise);
  const size_t hypothesis = column(form.hypothesis);
  const std::vector<Explanation> explanations = explanations_of(table, form, explanation);
  std::vector<RationaleExample> found;
  for (const CsvRecord& row : table.rows) {
    RationaleExample example;
    example.where = row_place(table, row);
    example.record.premise = row.fields[premise];
    example.record.hypothesis = row.fields[hypothesis];
    example.record.choices = {"entailment", "neutral", "contradiction"};
    if (const auto known = form.labels.find(row.fields[label]); known != form.labels.end()) {
      example.record.label = example.record.gold = known->second;
    } else {
      example.problem = "the label " + json_quote(row.fields[label]) + " is unknown";
    }
    for (const auto& [place, id_end] : explanations) {
      example.record.id = row.fields[id].empty() ? "" : row.fields[id] + id_end;
      example.record.rationale = row.fields[place];
      found.push_back(example);
    }
  }
  return found;
}

}  // namespace rubric::data
