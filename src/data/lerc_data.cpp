#include "data/lerc_data.h"

#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "data/token_store.h"

namespace rubric {
namespace {

std::string describe_split(const char* name, const TokenizedAnswers& answers) {
  return std::string(name) + " " + std::to_string(answers.rows()) + " rows, " +
         std::to_string(answers.tokens.ids.size()) + " tokens, " +
         std::to_string(std::count(answers.cut.begin(), answers.cut.end(), 1)) + " passages cut";
}

// Pearson's r needs scores that differ.
void require_varied_labels(const TokenizedAnswers& dev, const std::string& file) {
  std::map<std::string, std::set<double>> labels;
  for (int64_t row = 0; row < dev.rows(); ++row) {
    const auto i = static_cast<size_t>(row);
    labels[dev.constituents[i]].insert(dev.labels[i]);
  }
  for (const auto& [constituent, values] : labels) {
    if (values.size() > 1) continue;
    throw InputError("all scores of \"" + constituent + "\" are the same: no correlation with them",
                     file + " (data.dev)", "hold it out, or set run.pooled_validation: true");
  }
}

}  // namespace

LercData load_lerc_data(const TrainConfig& config, const WordPiece& tokenizer) {
  const AnswerTemplate answer_template{config.data.inputs, config.data.max_length};
  check_template(answer_template, "data.inputs");
  const auto load = [&](const std::string& file, const Augmentation& augmentation,
                        const std::string& key) {
    TokenizedAnswers answers = without_constituents(
        stored_answers(file, config.data.store, tokenizer, answer_template, augmentation),
        config.data.hold_out, file + " (data.hold_out)");
    if (answers.rows() == 0) {
      throw InputError("no row is left after data.hold_out", file + " (" + key + ")",
                       "hold out fewer constituents");
    }
    return answers;
  };
  LercData data{load(config.data.train, {config.data.augment_identity, config.data.augment_swap},
                     "data.train"),
                load(config.data.dev, {}, "data.dev")};
  if (!config.run.pooled_validation) require_varied_labels(data.dev, config.data.dev);
  return data;
}

std::string describe(const LercData& data) {
  return describe_split("train:", data.train) + "; " + describe_split("dev:", data.dev);
}

}  // namespace rubric
