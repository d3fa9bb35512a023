#include "train/settings/train_config.h"

#include <algorithm>
#include <iterator>

#include "config/printer.h"
#include "core/hash.h"
#include "data/multiple_choice/list.h"
#include "data/rows/input_format.h"
#include "data/rows/missing_values.h"
#include "data/tasks/list.h"

namespace rubric::train {

namespace {

std::string sha256_source(const DataSource& source) {
  const auto& [key, path, reader] = source;
  if (reader == nullptr || reader->files_of == nullptr) return sha256_file(path);
  std::string hashes;
  const bool is_folder = std::filesystem::is_directory(path);
  for (const std::filesystem::path& file : files_of(source)) {
    if (is_folder) hashes += file.lexically_relative(path).generic_string();
    hashes += sha256_file(file);
  }
  return sha256(hashes);
}

}  // namespace

std::vector<std::filesystem::path> files_of(const DataSource& source) {
  const bool is_listed = source.reader != nullptr && source.reader->files_of != nullptr;
  return is_listed ? source.reader->files_of(source.path)
                   : std::vector<std::filesystem::path>{source.path};
}

void ModelConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("name", name,
                "a model directory, or a name under $RUBRIC_MODELS (default models/) or in Hugging "
                "Face's cache");
  visitor.field("weights", weights, "seq2seq; random: a new model of the shape in config.json",
                {"pretrained", "random"});
  visitor.field("add_tokens", add_tokens,
                "seq2seq: tokens to add to the vocabulary, such as \"[rationale]\"");
  visitor.field("checkpoint_gradients", checkpoint_gradients,
                "compute each layer again in backward: less memory, a third more work");
}

void DataConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field(
      "train", train,
      "rows with reference, candidate and score, or a data set; seq2seq: source and target");
  visitor.field("dev", dev, "validation split, by which the best model is chosen");
  std::vector<std::string> formats = data::input_format_names();
  formats.insert(formats.begin(), "auto");
  visitor.field("format", format, "of both files; auto: JSON by its text, tables by their names",
                formats);
  visitor.field(
      "fields", fields,
      "the files' names of fields, such as candidate=prediction; train --field sets them too");
  std::vector<std::string> rules = data::missing_names();
  rules.insert(rules.begin(), "auto");
  visitor.field("missing", missing,
                "rows without a candidate, reference or score; auto: candidates are read as \"\", "
                "else an error",
                rules);
  visitor.field("reference_separator", reference_separator,
                "between several answers in one reference, such as /; empty: one text");
  visitor.field("hold_out", hold_out, "constituents left out of training and dev rows");
  visitor.field("inputs", inputs,
                "fields of the input in their order: passage, question, reference, candidate");
  visitor.field("max_length", max_length,
                "in tokens; of a longer row data.cut is truncated, then the candidate, then the "
                "longest field",
                {8, 1 << 20});
  visitor.field("cut", cut, "the field of a longer row that is truncated at its end",
                {"passage", "candidate"});
  visitor.field(
      "reference", reference,
      "which of several references trains; nearest: the one with most of its words in the "
      "candidate; validations read all",
      {"first", "nearest"});
  visitor.field("scale", scale,
                "LOW:HIGH of the labels and scores; empty: by the labels (docs/training.md)");
  visitor.field("augment_identity", augment_identity,
                "add each question's reference as a candidate with the highest score");
  visitor.field("augment_swap", augment_swap,
                "add every row of the highest score with reference and candidate swapped");
  visitor.field("question_hashes", question_hashes,
                "list hashes of the questions in the model directory; they are not anonymous");
  visitor.field("store", store, "directory of the tokenised data, which runs share; empty: none");
}

void HeadConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("keep", keep,
                "train the head of model.name, a trained LERC, further (docs/training.md)");
  head.visit_fields(visitor);
  visitor.field("loss", loss,
                "cross_entropy: of a bounded score as the probability of the highest label",
                {"squared_error", "cross_entropy"});
  visitor.field("rate", rate, "multiplies the learning rate of the head", {0.001, 1000});
}

void QuestionFiles::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("train", train, "training split");
  visitor.field("dev", dev, "validation split");
}

QuestionFiles& QuestionsConfig::of(const data::ChoiceReader& reader) {
  const auto place = std::ranges::find(data::kChoiceReaders, &reader);
  return files[static_cast<size_t>(place - std::begin(data::kChoiceReaders))];
}

void QuestionsConfig::visit_fields(config::FieldVisitor& visitor) {
  for (const data::ChoiceReader* const reader : data::kChoiceReaders) {
    visitor.group(std::string(reader->name).c_str(), of(*reader), reader->files);
  }
  visitor.field("max_passage", max_passage,
                "in tokens; questions with a longer passage are dropped, and counted",
                {1, 1 << 20});
}

void BatchConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("size", size, "examples in a global batch", {1, 1 << 20});
  visitor.field(
      "window", window,
      "examples are sorted by length inside windows of this many batches; 1: not across batches",
      {1, 1 << 20});
  visitor.field("max_tokens", max_tokens,
                "tokens computed at once; a larger batch is accumulated (on a CPU dev rows: 512 "
                "for each thread)",
                {1, 1 << 30});
}

void OptimizerConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field(
      "name", name,
      "adafactor keeps no first moment, and means of the second moment's rows and columns",
      {"adamw", "adafactor"});
  visitor.field("learning_rate", learning_rate, "peak learning rate", {0, 10});
  visitor.field("schedule", schedule,
                "after the warm-up, as transformers' schedules of these names (docs/training.md)",
                {"linear", "constant", "cosine"});
  visitor.field("weight_decay", weight_decay, "on everything except biases and LayerNorm", {0, 10});
  visitor.field("beta1", beta1, "adamw: decay of the first moment", {0, 0.999999});
  visitor.field("beta2", beta2, "adamw: decay of the second moment", {0, 0.9999999});
  visitor.field("epsilon", epsilon, "adamw: added to the denominator", {1e-12, 1});
  visitor.field("scale_parameter", scale_parameter,
                "adafactor: multiply the learning rate by the parameter's root mean square");
  visitor.field("clip_threshold", clip_threshold,
                "adafactor: root mean square to which an update is scaled down", {1e-6, 1e9});
  visitor.field("decay_rate", decay_rate,
                "adafactor: at update t the second moment keeps 1 - t^decay_rate of itself",
                {-1, 0});
  visitor.field("max_gradient_norm", max_gradient_norm, "gradients are clipped to this global norm",
                {1e-6, 1e9});
  visitor.field("warmup_steps", warmup_steps, "updates with a rising learning rate",
                {0, 1'000'000'000});
  visitor.field("shard", shard,
                "each rank keeps the state of a part of the parameters (docs/distributed.md)");
}

void RunConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("epochs", epochs, "passes over the training data", {1, 100'000});
  visitor.field("validate_every", validate_every,
                "updates between validations; 0: at the end of every epoch", {0, 1'000'000'000});
  visitor.field("checkpoint_every", checkpoint_every,
                "updates between checkpoints besides those of validations; 0: only those",
                {0, 1'000'000'000});
  visitor.field("patience", patience,
                "stop after this many validations without a better score; 0: never", {0, 100'000});
  visitor.field("keep_checkpoints", keep_checkpoints, "how many of the latest checkpoints to keep",
                {1, 1000});
  visitor.field("pooled_validation", pooled_validation,
                "one Pearson's r over all rows, not the mean over constituents");
  visitor.field("timeout", timeout, "seconds that ranks wait for one another", {1, 1'000'000});
}

void TrainConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("task", task, "what is trained", names_of<data::TaskKind>(data::kTasks));
  visitor.field("output", output, "run directory; empty: runs/ and the configuration's name");
  visitor.field("seed", seed, "seed for batches, dropout and new parameters", {0, 1LL << 53});
  visitor.field("threads", threads, "CPU threads; 0: one for each core", {0, 4096});
  visitor.field("device", device, "cuda: one NVIDIA GPU a rank (docs/gpu.md)", {"cpu", "cuda"});
  visitor.field("precision", precision, "of matrix products; bfloat16 only on cuda",
                {"float32", "bfloat16"});
  visitor.group("model", model, "the model to start from");
  visitor.group("data", data, "what is trained and validated on");
  visitor.group("head", head, "LERC's head, and its loss");
  visitor.group("questions", questions,
                "what multiple_choice trains on, instead of data.train and data.dev");
  visitor.group("seq2seq", seq2seq, "how a row's source and target become tokens");
  visitor.group("batches", batches, "how examples are put together");
  visitor.group("optimizer", optimizer,
                "the optimiser, its learning rate over the run, and clipping");
  visitor.group("run", run, "how long, and what is kept");
}

std::string train_config_page() {
  return "# Configuration\n\n"
         "All keys of a training configuration with their defaults, each below its meaning and the "
         "values that it may have. `include:` names files that a configuration builds on. "
         "`${VAR}` and `${VAR:-default}` read the environment (`$${` is a literal `${`). "
         "`--set key=value` overrides last. `train --config-reference` prints this "
         "page.\n\n```yaml\n" +
         config::print_config(TrainConfig{}, true) + "```\n";
}

std::vector<DataSource> data_sources(const TrainConfig& config) {
  if (!data::require_task(config.task).reads_questions) {
    return {{"data.train", config.data.train}, {"data.dev", config.data.dev}};
  }
  std::vector<DataSource> sources;
  for (size_t i = 0; i < config.questions.files.size(); ++i) {
    const data::ChoiceReader* const reader = data::kChoiceReaders[i];
    const std::string key = "questions." + std::string(reader->name);
    const QuestionFiles& files = config.questions.files[i];
    for (const std::string& path : files.train) sources.push_back({key + ".train", path, reader});
    for (const std::string& path : files.dev) sources.push_back({key + ".dev", path, reader});
  }
  return sources;
}

Json data_hashes(const TrainConfig& config) {
  Json hashes;
  for (const DataSource& source : data_sources(config)) {
    const Json* before = hashes.find(source.key);
    const std::string hash = sha256_source(source);
    hashes[source.key] = before == nullptr ? hash : sha256(before->string() + hash);
  }
  return hashes;
}

}  // namespace rubric::train
