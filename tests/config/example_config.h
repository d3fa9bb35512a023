// What the tests of src/config share: an example configuration, a folder of files, messages.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "config/fields.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric {

struct ExampleDecay {
  double rate = 0.01;

  void visit_fields(config::FieldVisitor& visitor) {
    visitor.field("rate", rate, "pull towards zero a step", {0, 1});
  }
};

struct ExampleTrain {
  int64_t epochs = 3;
  double learning_rate = 2e-5;
  std::string precision = "float32";
  bool shuffle = true;
  ExampleDecay decay;

  void visit_fields(config::FieldVisitor& visitor) {
    visitor.field("epochs", epochs, "passes over the training data", {1, 1000});
    visitor.field("learning_rate", learning_rate, "peak step size");
    visitor.field("precision", precision, "of matrix products", {"float32", "bfloat16"});
    visitor.field("shuffle", shuffle, "new order each epoch");
    visitor.group("decay", decay, "weight decay");
  }
};

struct ExampleData {
  std::string train;
  std::vector<std::string> hold_out = {"drop"};

  void visit_fields(config::FieldVisitor& visitor) {
    visitor.field("train", train, "training file");
    visitor.field("hold_out", hold_out, "constituents left out | never trained on");
  }
};

struct ExampleConfig {
  std::string name = "example";
  int64_t seed = 0;
  ExampleTrain train;
  ExampleData data;

  void visit_fields(config::FieldVisitor& visitor) {
    visitor.field("name", name, "of the run");
    visitor.field("seed", seed, "of all random numbers", {.least = 0});
    visitor.group("train", train, "how it trains");
    visitor.group("data", data, "what it trains on");
  }
};

// A test with a folder of its own.
struct ConfigFolder : testing::Test {
  std::filesystem::path write(const std::string& name, const std::string& text) const {
    return folder_.write(name, text);
  }
  std::string path(const std::string& name) const { return (folder_.path() / name).string(); }

  TemporaryFolder folder_;
};

}  // namespace rubric
