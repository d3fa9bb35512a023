// The configuration of a training run and the files it reads. visit_fields() documents each field
// (docs/configuration.md is made from it).
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <iterator>
#include <string>
#include <vector>

#include "config/fields.h"
#include "core/json/json.h"
#include "data/model_files/model_directory.h"
#include "data/multiple_choice/list.h"
#include "data/source_targets/pair_config.h"
#include "data/tasks/lerc_kind.h"

namespace rubric::train {

struct ModelConfig {
  std::string name;
  std::string weights = "pretrained";
  std::vector<std::string> add_tokens;
  bool checkpoint_gradients = false;

  void visit_fields(config::FieldVisitor& visitor);
};

struct DataConfig {
  std::string train, dev;
  std::string format = "auto";
  std::vector<std::string> fields;
  std::string missing = "auto";
  std::string reference_separator;
  std::vector<std::string> hold_out;
  std::vector<std::string> inputs = {"passage", "question", "reference", "candidate"};
  int64_t max_length = 512;
  std::string cut = "passage";
  std::string reference = "first";
  std::string scale;
  bool augment_identity = false;
  bool augment_swap = false;
  bool question_hashes = true;
  std::string store = "runs/token_store";

  void visit_fields(config::FieldVisitor& visitor);
};

struct HeadConfig {
  data::LercHead head;
  std::string loss = "squared_error";
  double rate = 1;
  bool keep = false;

  void visit_fields(config::FieldVisitor& visitor);
};

struct QuestionFiles {
  std::vector<std::string> train, dev;

  void visit_fields(config::FieldVisitor& visitor);
};

struct QuestionsConfig {
  std::array<QuestionFiles, std::size(data::kChoiceReaders)> files;  // in the order of the readers
  int64_t max_passage = 475;

  QuestionFiles& of(const data::ChoiceReader& reader);
  void visit_fields(config::FieldVisitor& visitor);
};

struct BatchConfig {
  int64_t size = 32;
  int64_t window = 50;
  int64_t max_tokens = 4096;

  void visit_fields(config::FieldVisitor& visitor);
};

struct OptimizerConfig {
  std::string name = "adamw";
  double learning_rate = 2e-5;
  std::string schedule = "linear";
  double weight_decay = 0.01;
  double beta1 = 0.9;
  double beta2 = 0.999;
  double epsilon = 1e-8;
  bool scale_parameter = false;
  double clip_threshold = 1.0;
  double decay_rate = -0.8;
  double max_gradient_norm = 1.0;
  int64_t warmup_steps = 0;
  bool shard = false;

  void visit_fields(config::FieldVisitor& visitor);
};

struct RunConfig {
  int64_t epochs = 3;
  int64_t validate_every = 0;
  int64_t checkpoint_every = 0;
  int64_t patience = 0;
  int64_t keep_checkpoints = 2;
  bool pooled_validation = false;
  int64_t timeout = 1800;

  void visit_fields(config::FieldVisitor& visitor);
};

struct TrainConfig {
  std::string task{data::kLercTask.name};
  std::string output;
  int64_t seed = 0;
  int64_t threads = 0;
  std::string device = "cpu";
  std::string precision = "float32";
  ModelConfig model;
  DataConfig data;
  HeadConfig head;
  QuestionsConfig questions;
  data::PairConfig seq2seq;
  BatchConfig batches;
  OptimizerConfig optimizer;
  RunConfig run;

  void visit_fields(config::FieldVisitor& visitor);
};

// Returns docs/configuration.md: every key with its type, default, range and comment.
std::string train_config_page();

// A file or directory from which a training run reads examples.
struct DataSource {
  std::string key;  // configuration key: "data.train", "questions.race.dev"
  std::filesystem::path path;
  const data::ChoiceReader* reader = nullptr;  // of multiple-choice questions
};

// The file of a source; of multiple-choice questions, where it is a directory, those in it that are
// read. Throws InputError where they cannot be listed.
std::vector<std::filesystem::path> files_of(const DataSource& source);

// The sources in the order of the reference page. Tasks that do not read questions have one file
// for each split, set or not.
std::vector<DataSource> data_sources(const TrainConfig& config);

// The SHA-256 of the data of each key: of its file, or one over several files, a directory's
// articles, or MCTest's files with their answers. Throws InputError when a file cannot be read.
Json data_hashes(const TrainConfig& config);

}  // namespace rubric::train
