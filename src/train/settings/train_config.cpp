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
                "model directory to start from: a path, or a name looked up under $RUBRIC_MODELS "
                "(default models/) and in the Hugging Face cache");
  visitor.field("weights", weights,
                "seq2seq: random starts a new model of the shape in config.json",
                {"pretrained", "random"});
  visitor.field(
      "add_tokens", add_tokens,
      "only for the task seq2seq: tokens to add to the vocabulary and the embeddings, such as "
      "\"[rationale]\"");
  visitor.field(
      "checkpoint_gradients", checkpoint_gradients,
      "only for the task seq2seq: compute each layer again in backward instead of keeping its "
      "results, which takes less memory and a third more work");
}

void DataConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field(
      "train", train,
      "training split: rows with reference, candidate and score, or a data set; for the task "
      "seq2seq rows with source and target");
  visitor.field("dev", dev, "validation split, by which the best model is chosen");
  std::vector<std::string> formats = data::input_format_names();
  formats.insert(formats.begin(), "auto");
  visitor.field(
      "format", format,
      "format of both files; auto: JSON and data sets by their text, tables by their names (.csv, "
      ".tsv, also with .gz)",
      formats);
  visitor.field(
      "fields", fields,
      "names of the fields in the files, such as candidate=prediction, where they are not the "
      "usual ones (docs/rows.md); train --field sets them too");
  std::vector<std::string> rules = data::missing_names();
  rules.insert(rules.begin(), "auto");
  visitor.field(
      "missing", missing,
      "rows without a candidate, reference or score: read with the text \"\" (empty), left out "
      "(drop), or an error; auto: candidates are read as \"\", the rest is an error",
      rules);
  visitor.field("reference_separator", reference_separator,
                "what separates several answers in one reference, such as /; empty: a reference is "
                "one text");
  visitor.field("hold_out", hold_out, "constituents left out of training and tuning alike");
  visitor.field(
      "inputs", inputs,
      "fields of the input in their order: any of passage, question, reference, candidate");
  visitor.field(
      "max_length", max_length,
      "longest input in tokens; data.cut is truncated at its end, then the candidate, and "
      "where a question or a reference alone is too long the longest field",
      {8, 1 << 20});
  visitor.field("cut", cut, "the field of a longer row that is truncated at its end",
                {"passage", "candidate"});
  visitor.field("reference", reference,
                "which of several references a row is trained with; nearest: the one that has most "
                "of its words in the candidate; validations read all, as score does",
                {"first", "nearest"});
  visitor.field("scale", scale,
                "LOW:HIGH, the scale of the labels, and of the model's scores; empty: 0:1, 1:5 or "
                "0:100 where it holds all labels and the greatest is over 4 or 50 on the last two, "
                "else from the least to the greatest");
  visitor.field("augment_identity", augment_identity,
                "add each question's reference as a candidate with the highest score of the scale");
  visitor.field("augment_swap", augment_swap,
                "add every row of the highest score with reference and candidate swapped");
  visitor.field(
      "question_hashes", question_hashes,
      "list the questions of both files in the model directory, as hashes, by which score knows "
      "rows with questions that the model has seen; false, or train --no-question-hashes: no list, "
      "as hashes of questions that can be guessed are not anonymous");
  visitor.field(
      "store", store,
      "directory of the tokenised data, which runs share; empty: every run tokenises its data");
}

void HeadConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("keep", keep,
                "train on the head of model.name where that is a trained LERC, instead of a new "
                "one; beside features the encoder then stays as it is (docs/training.md)");
  head.visit_fields(visitor);
  visitor.field("loss", loss, "cross_entropy: of a bounded score as the probability of 5 against 1",
                {"squared_error", "cross_entropy"});
  visitor.field("rate", rate, "the learning rate of the score layer, in times the encoder's",
                {0.001, 1000});
}

void QuestionFiles::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("train", train, "training split");
  visitor.field("dev", dev, "validation split, by which the best model is chosen");
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
                "questions whose passage has more tokens are dropped, and counted", {1, 1 << 20});
}

void BatchConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("size", size, "examples in a global batch", {1, 1 << 20});
  visitor.field("window", window,
                "examples are sorted by length inside windows of this many batches; 1: no sorting "
                "across batches",
                {1, 1 << 20});
  visitor.field(
      "max_tokens", max_tokens,
      "tokens computed at once; a larger batch is accumulated from several micro-batches. On a "
      "CPU each thread validates 512 at once, or one row, or one source with its "
      "targets, that is longer",
      {1, 1 << 30});
}

void OptimizerConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field(
      "name", name,
      "the algorithm; adafactor keeps no first moment, and only the means of rows and columns "
      "of a matrix's second moment",
      {"adamw", "adafactor"});
  visitor.field("learning_rate", learning_rate, "peak learning rate", {0, 10});
  visitor.field(
      "schedule", schedule,
      "after the warm-up: linear falls to 0 at the last update, cosine falls there as half "
      "a cosine does, constant stays; as transformers' get_linear_, get_cosine_ and "
      "get_constant_schedule_with_warmup (docs/training.md)",
      {"linear", "constant", "cosine"});
  visitor.field("weight_decay", weight_decay, "on everything except biases and LayerNorm", {0, 10});
  visitor.field("beta1", beta1, "adamw: decay of the first moment", {0, 0.999999});
  visitor.field("beta2", beta2, "adamw: decay of the second moment", {0, 0.9999999});
  visitor.field("epsilon", epsilon, "adamw: added to the denominator", {1e-12, 1});
  visitor.field("scale_parameter", scale_parameter,
                "adafactor: multiply the learning rate by the root mean square of the parameter");
  visitor.field("clip_threshold", clip_threshold,
                "adafactor: a parameter's update is scaled down to this root mean square before "
                "the learning rate",
                {1e-6, 1e9});
  visitor.field("decay_rate", decay_rate,
                "adafactor: at update t the second moment keeps 1 - t^decay_rate of itself",
                {-1, 0});
  visitor.field("max_gradient_norm", max_gradient_norm, "gradients are clipped to this global norm",
                {1e-6, 1e9});
  visitor.field("warmup_steps", warmup_steps, "updates with a rising learning rate",
                {0, 1'000'000'000});
  visitor.field("shard", shard,
                "each of several ranks keeps the optimiser's state of a part of the parameters "
                "(ZeRO-1): less memory, the same run; all ranks must see the run directory");
}

void RunConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("epochs", epochs, "passes over the training data", {1, 100'000});
  visitor.field("validate_every", validate_every,
                "updates between validations; 0: validate at the end of every epoch",
                {0, 1'000'000'000});
  visitor.field("checkpoint_every", checkpoint_every,
                "updates between checkpoints, besides one with every validation; 0: only those",
                {0, 1'000'000'000});
  visitor.field("patience", patience,
                "early stopping: stop after this many validations without a better score; 0: never",
                {0, 100'000});
  visitor.field("keep_checkpoints", keep_checkpoints, "how many of the latest checkpoints to keep",
                {1, 1000});
  visitor.field("pooled_validation", pooled_validation,
                "validate by one Pearson over all rows instead of the mean over constituents");
  visitor.field("timeout", timeout,
                "seconds that ranks wait for one another; longer than rank 0 takes to tokenise the "
                "data or to save",
                {1, 1'000'000});
}

void TrainConfig::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("task", task, "what is trained", names_of<data::TaskKind>(data::kTasks));
  visitor.field("output", output, "run directory; empty: runs/ and the configuration's name");
  visitor.field("seed", seed, "seed for batches, dropout and new parameters", {0, 1LL << 53});
  visitor.field("threads", threads, "CPU threads; 0: one for each core", {0, 4096});
  visitor.field("device", device, "what computes; cuda: one NVIDIA GPU a rank (docs/gpu.md)",
                {"cpu", "cuda"});
  visitor.field(
      "precision", precision,
      "precision of matrix products; bfloat16, only with the device cuda, is faster. Weights, "
      "norms and losses stay float32",
      {"float32", "bfloat16"});
  visitor.group("model", model, "the model to start from");
  visitor.group("data", data, "what is trained and validated on");
  visitor.group("head", head, "what stands on LERC's encoder, and its loss");
  visitor.group("questions", questions,
                "the multiple-choice questions that multiple_choice trains on, instead of "
                "data.train and data.dev");
  visitor.group("seq2seq", seq2seq,
                "only for the task seq2seq: how the source and the target of a row become tokens");
  visitor.group("batches", batches, "how examples are put together");
  visitor.group("optimizer", optimizer,
                "the optimiser, its learning rate over the run, and clipping");
  visitor.group("run", run, "how long, and what is kept");
}

std::string train_config_page() {
  return "# Configuration\n\n"
         "Made by `train --config-reference`; do not edit. A configuration is a YAML file of these "
         "keys. `include:` names files that it builds on, `${VAR}` and `${VAR:-default}` read the "
         "environment (`$${` is a literal `${`), and `--set key=value` on the command line "
         "overrides last.\n\n" +
         config::config_reference(TrainConfig{}, "Training");
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
