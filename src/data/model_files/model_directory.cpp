#include "data/model_files/model_directory.h"

#include <algorithm>
#include <vector>

#include "config/reader.h"
#include "config/yaml.h"
#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/files/shipped_files.h"
#include "data/model_files/gguf.h"
#include "data/model_files/seen_questions.h"
#include "data/model_files/shipped_models.h"
#include "data/tasks/list.h"

namespace rubric::data {

namespace {
namespace fs = std::filesystem;

// What to do where a model's folder is needed.
constexpr const char* kModelIsAFolder =
    "name the folder that holds config.json and the weights, such as a training run's DIR/model, "
    "or a file that ends in .gguf";

bool is_model(const fs::path& directory) {
  std::error_code error;  // a directory that cannot be read holds no model
  return fs::is_regular_file(directory / "config.json", error);
}

// The GGUF file that `name` is or, as the only one, holds; empty where there is none.
fs::path gguf_at(const fs::path& name) {
  if (is_gguf(name)) return name;
  std::vector<fs::path> files;
  for (const std::string& file : names_in(name, fs::file_type::regular)) {
    if (is_gguf(file)) files.push_back(name / file);
  }
  if (files.size() <= 1) return files.empty() ? fs::path() : files.front();
  throw InputError("the folder " + json_quote(name.string()) + " holds several GGUF files", "",
                   "name one of " + join({files.begin(), files.end()}));
}

fs::path hugging_face_cache() {
  if (const std::string cache = environment("HF_HUB_CACHE"); !cache.empty()) return cache;
  if (const std::string home = environment("HF_HOME"); !home.empty()) return fs::path(home) / "hub";
  return fs::path(environment("HOME")) / ".cache" / "huggingface" / "hub";
}

// "models--org--name" for "org/name".
std::string cache_folder(const std::string& name) {
  std::string folder = "models--";
  for (const char c : name) folder += c == '/' ? std::string("--") : std::string(1, c);
  return folder;
}

// The snapshot that the main branch points to, else the first by name.
fs::path cached_snapshot(const fs::path& folder) {
  const fs::path snapshots = folder / "snapshots";
  std::error_code error;
  if (const fs::path main = folder / "refs" / "main"; fs::is_regular_file(main, error)) {
    const fs::path snapshot = snapshots / read_file(main);
    if (is_model(snapshot)) return snapshot;
  }
  fs::path first;
  for (const auto& entry : fs::directory_iterator(snapshots, error)) {
    if (is_model(entry.path()) && (first.empty() || entry.path() < first)) first = entry.path();
  }
  return first;
}

// Whether `name` can only be a path: models' names are "name" or "org/name".
bool is_path(const std::string& name) {
  std::error_code error;  // a directory that cannot be inspected counts as missing
  return name.starts_with('/') || name.starts_with('.') || name.ends_with('/') ||
         std::count(name.begin(), name.end(), '/') > 1 ||
         (name.find('/') != std::string::npos && fs::exists(fs::path(name).parent_path(), error));
}

// The name of a shipped model that `name` comes near, or "".
std::string nearest_shipped(const std::string& name) {
  std::vector<std::string> names;
  for (const ShippedModel* const model : kShippedModels) {
    names.emplace_back(model->name);
    names.insert(names.end(), model->aliases.begin(), model->aliases.end());
  }
  return nearest_name(name, names);
}

// The advice where `name` is a training run without model/, or that folder; else "". What lies in a
// run is train/checkpoints': best/ becomes model/ when the run ends.
std::string advice_on_run(const fs::path& name) {
  const fs::path folder = name.has_filename() ? name : name.parent_path();
  const fs::path run = folder.filename() == "model" ? folder.parent_path() : folder;
  if (is_model(run / "best")) {
    return "the run has not ended: start its command again if it was stopped, or name its best "
           "model so far, " +
           (run / "best").string();
  }
  std::error_code error;
  const bool is_run = fs::is_regular_file(run / "log.jsonl", error) &&
                      fs::is_regular_file(run / "config.yaml", error);
  return is_run ? "the training run there has no model: none before its first validation, or it "
                  "was moved; if the run was stopped, start its command again"
                : "";
}

// The advice when no model called `name` is found.
std::string advice(const std::string& name, const std::vector<std::string>& kinds) {
  const fs::path model = fs::path(name) / "model";
  if (is_model(model)) return "did you mean " + model.string() + "?";
  if (const std::string of_run = advice_on_run(name); !of_run.empty()) return of_run;
  if (is_path(name)) {
    const std::string nearest = nearest_path(name, fs::file_type::directory);
    return !nearest.empty() ? nearest
                            : "correct the path (in a configuration that of model.name), or train "
                              "the model first";
  }
  if (const std::string nearest = nearest_shipped(name); !nearest.empty()) {
    return "did you mean " + nearest + ", which rubric ships?";
  }
  return "name a model directory, or fetch it: scripts/download " + name +
         (kinds.empty() ? "" : "; models of these types work: " + join(kinds));
}

}  // namespace

fs::path shipped_model(const ShippedModel& model) {
  const std::string name(model.name);
  fs::path directory = shipped_path("models/" + name);
  if (is_model(directory)) return directory;
  throw InputError("the model " + name + " is shipped with rubric and not in this installation",
                   "looked at " + directory.string(),
                   "install rubric again with its folder models/, or name another model");
}

const ShippedModel* find_shipped_at(const fs::path& directory) {
  if (current_context().resources.shipped.empty()) return nullptr;
  for (const ShippedModel* const model : kShippedModels) {
    std::error_code error;  // one that is not there is no other's
    const fs::path place = shipped_path("models/" + std::string(model->name));
    if (fs::equivalent(place, directory, error)) return model;
  }
  return nullptr;
}

fs::path find_model(const std::string& name, const std::vector<std::string>& kinds) {
  if (name.empty()) {
    throw InputError("no model is named", "model.name", "give a model directory or a model's name");
  }
  std::vector<std::string> looked = {name};
  if (is_model(name)) return name;
  if (const fs::path file = gguf_at(name); !file.empty()) return gguf_model_directory(file);
  if (fs::path(name).is_relative()) {
    const std::string models = environment("RUBRIC_MODELS");
    const fs::path directory = fs::path(models.empty() ? "models" : models) / name;
    if (is_model(directory)) return directory;
    looked.push_back(directory.string());
  }
  const ShippedModel* const shipped = find<ShippedModel>(kShippedModels, name);
  if (shipped != nullptr) return shipped_model(*shipped);
  const fs::path cached = hugging_face_cache() / cache_folder(name);
  if (const fs::path snapshot = cached_snapshot(cached); !snapshot.empty()) return snapshot;
  if (!is_path(name)) looked.push_back(cached.string());
  std::error_code unreadable;  // counts as missing
  if (fs::is_directory(name, unreadable) && !is_model(fs::path(name) / "model")) {
    std::string to_do = advice_on_run(name);
    if (to_do.empty()) {
      to_do = kModelIsAFolder;
      if (!is_path(name)) to_do += "; or " + advice(name, kinds);
    }
    throw InputError("the folder \"" + name + "\" holds no model (no config.json in it)",
                     is_path(name) ? "" : "looked at " + join(looked), to_do);
  }
  if (fs::is_regular_file(name, unreadable)) {
    const fs::path folder = fs::absolute(name).parent_path();
    throw InputError(
        "the model " + json_quote(name) + " is a file, where a model's folder is needed", "",
        is_model(folder) ? "name its folder, " + folder.string() : kModelIsAFolder);
  }
  throw InputError("the model \"" + name + "\" is not on this machine (no config.json found)",
                   "looked at " + join(looked), advice(name, kinds));
}

std::string config_place(const fs::path& directory) {
  std::error_code no_link;
  const fs::path weights = fs::read_symlink(directory / kGgufWeights, no_link);
  return no_link ? (directory / "config.json").string() : weights.string();
}

Json read_model_config(const fs::path& directory) {
  constexpr const char* kPublished = "name a folder with the config.json that a model came with";
  const fs::path file = directory / "config.json";
  require_readable_file(file);  // says what to do by itself
  Json config;
  try {
    config = Json::parse_file(file);
  } catch (const InputError& error) {
    throw InputError(error.what(), "", kPublished);
  }
  const Json* const type = config.find("model_type");
  if (type != nullptr && type->is_string()) return config;
  throw InputError("nothing says what kind of model this is: there is no text \"model_type\"",
                   config_place(directory), kPublished);
}

std::vector<fs::path> files_beside_weights(const fs::path& directory) {
  std::vector<fs::path> files;
  for (const char* name :
       {"config.json", "generation_config.json", "vocab.txt", "vocab.json", "merges.txt",
        "spiece.model", "sentencepiece.bpe.model", "sentencepiece.model", "spm.model",
        "tokenizer.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json",
        "tokenizer.model", "chat_template.jinja", "comet.json"}) {
    const fs::path file = directory / name;
    if (is_there(file, "fetch the model again, or name another one")) files.push_back(file);
  }
  return files;
}

std::vector<fs::path> model_files(const fs::path& directory) {
  std::vector<fs::path> files = files_beside_weights(directory);
  const bool has_tensors = fs::exists(directory / "model.safetensors") ||
                           fs::exists(directory / "model.safetensors.index.json");
  const bool has_archive = fs::exists(directory / "pytorch_model.bin") ||
                           fs::exists(directory / "pytorch_model.bin.index.json");
  const bool is_gguf = !has_archive && fs::exists(directory / kGgufWeights);
  const std::string weights = has_tensors ? ".safetensors" : is_gguf ? ".gguf" : ".bin";
  for (const auto& entry : fs::directory_iterator(directory)) {
    const std::string name = entry.path().filename().string();
    if (name == "rubric.yaml" || name.ends_with(weights) ||
        name.ends_with(weights + ".index.json")) {
      files.push_back(entry.path());
    }
  }
  std::sort(files.begin(), files.end());
  return files;
}

void LercHead::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("features", features,
                "numbers that say how the candidate's words agree with the references', which a "
                "small network reads beside the score of a trained LERC (docs/training.md)");
  visitor.field("bounded", bounded, "scores keep to the scale of the labels, by a sigmoid");
}

void TrainedBelow::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("encoder", encoder, "the model it was trained from");
  visitor.field("train", train, "the files it was trained on");
  visitor.field("train_sha256", train_sha256, "and their SHA-256");
  visitor.field("hold_out", hold_out, "constituents that it has not seen");
  visitor.field("seed", seed, "of its run");
}

void ModelCard::visit_fields(config::FieldVisitor& visitor) {
  visitor.field("task", task, "what the model was trained for", names_of<TaskKind>(kTasks));
  if (require_task(task).writes_texts) {
    visitor.group("seq2seq", seq2seq, "how a source and its target become tokens");
  } else {
    visitor.field("inputs", inputs, "fields of the input in their order");
    visitor.field("max_length", max_length, "longest input in tokens", {8, 1 << 20});
    visitor.field("cut", cut, "the field of a longer input that is truncated at its end",
                  {"passage", "candidate"});
    if (!require_task(task).reads_questions) {
      visitor.field("scale", scale, "LOW:HIGH, of the labels that were learnt, and of the scores");
    }
    if (task == kLercTask.name) visitor.group("head", head, "what stands on the encoder");
    if (!head.features.empty()) {
      visitor.field("features_version", features_version, "of the definitions of these numbers",
                    {1, 1 << 20});
      visitor.group("below", below, "the trained LERC whose score stands beside these numbers");
    }
  }
  visitor.field("encoder", encoder, "the model it was trained from");
  visitor.field("train", train, "the files it was trained on");
  visitor.field("train_sha256", train_sha256, "and their SHA-256");
  visitor.field("hold_out", hold_out, "constituents that it has not seen");
  visitor.field(
      "question_hashes", question_hashes,
      "how questions are normalised in trained_questions.bin and tuned_questions.bin, the "
      "hashes of those that it has seen (docs/training.md); none: there are no such files",
      {kNoQuestionHashes, kQuestionNormalisation});
  visitor.field("seed", seed, "of the run");
  visitor.field("validation", validation, "the metric by which it was chosen");
  visitor.field("validation_figure", validation_score, "and its value, where it has one");
  if (task == kLercTask.name) {
    visitor.field("threshold", threshold, "the score from which on an answer counts as correct");
  }
}

ModelCard read_model_card(const std::filesystem::path& model_directory) {
  const std::filesystem::path file = model_directory / "rubric.yaml";
  if (!std::filesystem::exists(file)) return {};
  // Without includes and variables: a model directory is untrusted.
  ModelCard card;
  config::read_fields(config::parse_yaml_file(file), [&] { return config::fields_of(card); });
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
  if (require_task(card.task).writes_texts) return card.seq2seq;
  throw InputError("the model was trained for " + card.task + ", not to write texts", file.string(),
                   "name a T5, BART or GPT-2");
}

}  // namespace rubric::data
