#include "data/lerc_data.h"

#include "core/error.h"
#include "data/token_store.h"

namespace rubric {
namespace {

std::string describe_split(const char* name, const TokenizedAnswers& answers) {
  return std::string(name) + " " + std::to_string(answers.rows()) + " rows, " +
         std::to_string(answers.tokens.ids.size()) + " tokens, " +
         std::to_string(answers.truncated) + " passages cut";
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
  return {load(config.data.train, {config.data.augment_identity, config.data.augment_swap},
               "data.train"),
          load(config.data.dev, {}, "data.dev")};
}

std::string describe(const LercData& data) {
  return describe_split("train:", data.train) + "; " + describe_split("dev:", data.dev);
}

}  // namespace rubric
