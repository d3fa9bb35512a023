#include "data/model_files/model_card.h"

#include "config/reader_part.h"
#include "config/yaml.h"
#include "core/error.h"

namespace rubric {

void ModelCard::visit_fields(FieldVisitor& visitor) {
  visitor.field("task", task, "what the model was trained for",
                {"lerc", "similarity", "multiple_choice", "seq2seq"});
  if (task == "seq2seq") {
    visitor.group("seq2seq", seq2seq, "how a source and its target become tokens");
  } else {
    visitor.field("inputs", inputs, "fields of the input in their order");
    visitor.field("max_length", max_length, "longest input in tokens", {8, 1 << 20});
    visitor.field("cut", cut, "the field that a longer input loses its end of",
                  {"passage", "candidate"});
  }
  visitor.field("encoder", encoder, "the model it was trained from");
  visitor.field("train", train, "the files it was trained on");
  visitor.field("train_sha256", train_sha256, "and their SHA-256");
  visitor.field("hold_out", hold_out, "constituents that it has not seen");
  visitor.field("seed", seed, "of the run");
  visitor.field("validation", validation, "the figure by which it was chosen");
  visitor.field("validation_figure", validation_figure, "and its value, where it has one");
}

ModelCard read_model_card(const std::filesystem::path& model_directory) {
  const std::filesystem::path file = model_directory / "rubric.yaml";
  if (!std::filesystem::exists(file)) return {};
  // Without includes and variables: a model's folder may come from anywhere.
  ModelCard card;
  read_fields(parse_yaml_file(file), [&](FieldVisitor& visitor) { card.visit_fields(visitor); });
  return card;
}

PairConfig pair_config_of(const std::filesystem::path& model_directory) {
  const std::filesystem::path file = model_directory / "rubric.yaml";
  if (!std::filesystem::exists(file)) {
    PairConfig config;
    config.max_source = config.max_target = kLongestText;
    return config;
  }
  const ModelCard card = read_model_card(model_directory);
  if (card.task == "seq2seq") return card.seq2seq;
  throw InputError("the model was trained for " + card.task + ", not to write texts", file.string(),
                   "name a T5, BART or GPT-2");
}

}  // namespace rubric
