#include "train/settings/lerc_data.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

#include "core/error.h"
#include "train/settings/stored_answers.h"

namespace rubric {
namespace {

std::string describe_split(const char* name, const TokenizedAnswers& answers) {
  return std::string(name) + " " + std::to_string(answers.rows()) + " rows, " +
         std::to_string(answers.tokens.ids.size()) + " tokens, " +
         std::to_string(std::count(answers.cut.begin(), answers.cut.end(), 1)) + " rows cut";
}

using Labels = std::map<std::string, std::set<double>>;  // by constituent

Labels labels_of(const StoredAnswers& stored) {
  Labels labels;
  for (const Answer& answer : stored.answers) labels[answer.constituent].insert(*answer.score);
  const int64_t rows = stored.rows ? stored.rows->rows() : 0;
  for (size_t i = 0; i < static_cast<size_t>(rows); ++i) {
    labels[stored.rows->constituents[i]].insert(stored.rows->labels[i]);
  }
  return labels;
}

// Leaves what is not held out, which must be something.
void hold_out_labels(Labels& labels, const std::vector<std::string>& hold_out,
                     const std::string& file, const char* key) {
  std::set<std::string> known;
  for (const auto& [constituent, values] : labels) known.insert(constituent);
  require_constituents(hold_out, known, file + " (data.hold_out)");
  for (const std::string& name : hold_out) labels.erase(name);
  if (!labels.empty()) return;
  throw InputError("no row is left after data.hold_out", file + " (" + key + ")",
                   "hold out fewer constituents");
}

// Pearson's r needs scores that differ: in each constituent, or where they are pooled in all of
// them.
void require_varied_labels(const Labels& labels, bool pooled, const std::string& file) {
  if (pooled) {
    std::set<double> all;
    for (const auto& [constituent, values] : labels) all.insert(values.begin(), values.end());
    if (all.size() > 1) return;
    throw InputError("all scores are the same: no correlation with them", file + " (data.dev)",
                     "name a file with scores that differ");
  }
  for (const auto& [constituent, values] : labels) {
    if (values.size() > 1) continue;
    throw InputError("all scores" + (constituent.empty() ? "" : " of \"" + constituent + "\"") +
                         " are the same: no correlation with them",
                     file + " (data.dev)",
                     constituent.empty() ? "name a file with scores that differ"
                                         : "hold it out, or set run.pooled_validation: true");
  }
}

}  // namespace

LercData load_lerc_data(const TrainConfig& config, const Tokenizer& tokenizer) {
  const DataConfig& data = config.data;
  const AnswerTemplate answer_template =
      template_of(config.task, data.inputs, data.max_length, data.cut, "data.inputs");
  const auto source_of = [&](const std::string& file) -> AnswerSource {
    const std::string format = data.format == "auto" ? "" : data.format;
    return {file, input_format(format, file, "data.format"), data.reference == "nearest"};
  };

  // 1. What is wrong with either file shows before the first is tokenised.
  StoredAnswers train = open_answers(source_of(data.train), data.store, tokenizer, answer_template,
                                     {data.augment_identity, data.augment_swap});
  StoredAnswers dev = open_answers(source_of(data.dev), data.store, tokenizer, answer_template, {});
  Labels train_labels = labels_of(train), dev_labels = labels_of(dev);
  hold_out_labels(train_labels, data.hold_out, data.train, "data.train");
  hold_out_labels(dev_labels, data.hold_out, data.dev, "data.dev");
  require_varied_labels(dev_labels, config.run.pooled_validation, data.dev);

  // 2. The rows.
  const auto rows = [&](StoredAnswers stored, const std::string& file) {
    return without_constituents(tokenized(std::move(stored), tokenizer, answer_template),
                                data.hold_out, file + " (data.hold_out)");
  };
  return {rows(std::move(train), data.train), rows(std::move(dev), data.dev)};
}

std::string describe(const LercData& data) {
  return describe_split("train:", data.train) + "; " + describe_split("dev:", data.dev);
}

}  // namespace rubric
