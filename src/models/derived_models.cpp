#include "models/derived_models.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

#include <ATen/ATen.h>

#include "config/printer.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/directories.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/model_files/list.h"
#include "data/model_files/model_directory.h"
#include "data/model_files/seen_questions.h"
#include "models/config_fields.h"
#include "models/encoders/encoder.h"
#include "models/encoders/list.h"
#include "models/sequence_model.h"
#include "models/weights/int8_weights.h"

namespace rubric::models {

namespace fs = std::filesystem;

namespace {

constexpr const char* kCard = "rubric.yaml";

bool has_card(const fs::path& model) {
  return is_there(model / kCard, "make the folder readable");
}

// Reads config.json, so that a broken one is not passed on.
void require_config(const fs::path& model) {
  ConfigFields fields(model);
  const std::string type = fields.model_type();
  const std::vector<std::string> encoders = encoder_types();
  const std::vector<std::string> sequence_models = data::sequence_types();
  if (std::ranges::find(encoders, type) != encoders.end()) {
    read_encoder_config(model);
  } else if (std::ranges::find(sequence_models, type) != sequence_models.end()) {
    read_sequence_config(model);
  } else {
    throw InputError("rubric runs no model of the type " + json_quote(type), fields.where(),
                     "use one of " + join(encoders) + ", " + join(sequence_models));
  }
}

// nullopt where the model has no card.
std::optional<data::ModelCard> card_of(const fs::path& model) {
  return has_card(model) ? std::optional(data::read_model_card(model)) : std::nullopt;
}

std::vector<uint64_t> questions_of(const std::vector<fs::path>& files) {
  std::vector<std::string> questions;
  for (const fs::path& file : files) {
    bool has_question = false;
    for (data::Answer& answer : data::read_answers(file, data::input_format("", file))) {
      has_question = has_question || data::question_hash(answer.question);
      questions.push_back(std::move(answer.question));
    }
    if (has_question) continue;
    throw InputError("no row has a question", file.string(),
                     "name the file with the field \"question\" (docs/rows.md)");
  }
  return data::question_list(questions);
}

// The questions that the models list and those of the files; nullopt where there are neither. Warns
// of models that list none beside others that do.
std::optional<data::SeenQuestions> seen_by(const std::vector<fs::path>& models,
                                           const data::SeenFiles& files) {
  std::optional<data::SeenQuestions> seen;
  if (!files.trained_on.empty() || !files.tuned_on.empty()) {
    if (!has_card(models.front())) {
      throw InputError("the model has no rubric.yaml, which says that questions are listed",
                       models.front().string(), "leave --trained-on and --tuned-on out");
    }
    seen = data::SeenQuestions{questions_of(files.trained_on), questions_of(files.tuned_on)};
  }
  std::vector<std::string> silent;
  for (const fs::path& model : models) {
    const auto listed = data::read_seen_questions(model);
    if (!listed) silent.push_back(model.string());
    if (!listed) continue;
    if (!seen) seen.emplace();
    seen->add(*listed);
  }
  if (seen && !silent.empty() && files.trained_on.empty()) {
    log_warning("what is written lists no questions of " + join(silent) +
                ", which lists none itself: --trained-on FILE adds those of its training data");
  }
  return seen;
}

// Writes a model with other weights than the one it takes its files from.
void write_derived(const fs::path& model, std::optional<data::ModelCard> card,
                   const std::optional<data::SeenQuestions>& seen, const NamedTensors& tensors,
                   const fs::path& output) {
  make_directories(fs::absolute(output / "").lexically_normal().parent_path().parent_path());
  AtomicDirectory directory(output);
  for (const fs::path& file : data::files_beside_weights(model)) {
    write_file(directory.path() / file.filename(), read_file(file));
  }
  if (card) data::write_seen_questions(directory.path(), seen, *card);
  if (card) write_file(directory.path() / kCard, config::print_config(*card));
  write_weights(directory.path(), tensors);
  directory.commit();
}

// The card as that of a mean: without what is of one run alone.
std::optional<data::ModelCard> shared_card(const fs::path& model) {
  std::optional<data::ModelCard> card = card_of(model);
  if (!card) return card;
  if (!card->head.features.empty()) {
    throw InputError("its network reads features, and each training numbers its units otherwise",
                     (model / kCard).string(),
                     "average the encoders, and train the network on their mean");
  }
  card->validation.clear();
  card->validation_score.reset();
  card->threshold.reset();
  card->seed = 0;
  card->question_hashes = data::kNoQuestionHashes;
  return card;
}

std::string text_of(std::optional<data::ModelCard> card) {
  return card ? config::print_config(*card) : "";
}

void require_alike(const fs::path& first, const fs::path& other) {
  constexpr const char* kWhatToDo =
      "average models that were trained from one model on the same rows, with other seeds alone";
  if (has_card(first) != has_card(other)) {
    const bool lacks = has_card(first);
    throw InputError(std::string("it has ") + (lacks ? "no " : "a ") + kCard + " and " +
                         first.string() + (lacks ? " has one" : " has none"),
                     other.string(), kWhatToDo);
  }
  if (text_of(shared_card(first)) != text_of(shared_card(other))) {
    throw InputError("its card is another than that of " + first.string() +
                         " in more than seed, validation and threshold",
                     (other / kCard).string(), kWhatToDo);
  }
  const auto files = data::files_beside_weights(first), others = data::files_beside_weights(other);
  for (size_t i = 0; i < std::max(files.size(), others.size()); ++i) {
    const bool is_same = i < files.size() && i < others.size() &&
                         files[i].filename() == others[i].filename() &&
                         read_file(files[i]) == read_file(others[i]);
    if (is_same) continue;
    throw InputError("its configuration or tokenizer is another than that of " + first.string(),
                     (i < others.size() ? others[i] : other).string(), kWhatToDo);
  }
}

// What the tensors are summed as: floating-point numbers in float64, others as they are.
NamedTensors sums_of(const NamedTensors& tensors) {
  NamedTensors sums;
  for (const auto& [name, tensor] : tensors) {
    sums.emplace_back(
        name, tensor.is_floating_point() ? tensor.to(at::kDouble, false, /*copy=*/true) : tensor);
  }
  return sums;
}

// Adds the tensors of a model to sums; `first` has the types.
void add(NamedTensors& sums, const NamedTensors& first, const NamedTensors& tensors,
         const fs::path& model) {
  constexpr const char* kWhatToDo = "average models of one kind";
  if (tensors.size() != sums.size()) {
    throw InputError("it has " + std::to_string(tensors.size()) + " tensors and the first model " +
                         std::to_string(sums.size()),
                     model.string(), kWhatToDo);
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    auto& [name, sum] = sums[i];
    const at::Tensor* const tensor = find_tensor(tensors, name);
    if (tensor == nullptr || tensor->sizes() != sum.sizes()) {
      throw InputError("the tensor " + name + " is missing or has another shape", model.string(),
                       kWhatToDo);
    }
    if (tensor->scalar_type() != first[i].second.scalar_type()) {
      throw InputError("the tensor " + name + " has another type", model.string(), kWhatToDo);
    }
    if (tensor->is_floating_point()) {
      sum.add_(tensor->to(at::kDouble));
    } else if (!tensor->equal(sum)) {
      throw InputError("the whole numbers of the tensor " + name + " are others", model.string(),
                       kWhatToDo);
    }
  }
}

}  // namespace

void quantize_model(const data::QuantizeRequest& request, const Context& context) {
  const ContextScope scope(context);
  const fs::path model = data::find_model(request.model);
  require_config(model);
  const auto questions = seen_by({model}, request.seen);
  const NamedTensors tensors = quantized(read_weights(model), model.string());
  write_derived(model, card_of(model), questions, tensors, request.output);
}

void average_models(const data::AverageRequest& request, const Context& context) {
  const ContextScope scope(context);
  std::vector<fs::path> directories;
  for (const std::string& name : request.models) directories.push_back(data::find_model(name));
  if (directories.empty()) throw Error("the mean of no models");
  const fs::path& first = directories.front();
  require_config(first);
  const std::optional<data::ModelCard> card =
      directories.size() == 1 ? card_of(first) : shared_card(first);
  for (size_t i = 1; i < directories.size(); ++i) require_alike(first, directories[i]);
  const auto questions = seen_by(directories, request.seen);
  const NamedTensors tensors = read_weights(first);
  NamedTensors sums = sums_of(tensors);
  for (size_t i = 1; i < directories.size(); ++i) {
    add(sums, tensors, read_weights(directories[i]), directories[i]);
  }
  for (size_t i = 0; i < sums.size(); ++i) {
    at::Tensor& sum = sums[i].second;
    if (!sum.is_floating_point()) continue;
    sum = sum.div(static_cast<double>(directories.size())).to(tensors[i].second.dtype());
  }
  write_derived(first, card, questions, sums, request.output);
}

}  // namespace rubric::models
