// What the tests of src/config share: an example configuration, a folder of files, messages.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <unistd.h>

#include "config/fields.h"
#include "core/error.h"
#include "core/files.h"

namespace rubric {

struct ExampleDecay {
  double rate = 0.01;

  void visit_fields(FieldVisitor& visitor) {
    visitor.field("rate", rate, "pull towards zero a step", {0, 1});
  }
};

struct ExampleTrain {
  int64_t epochs = 3;
  double learning_rate = 2e-5;
  std::string precision = "float32";
  bool shuffle = true;
  ExampleDecay decay;

  void visit_fields(FieldVisitor& visitor) {
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

  void visit_fields(FieldVisitor& visitor) {
    visitor.field("train", train, "training file");
    visitor.field("hold_out", hold_out, "constituents left out | never trained on");
  }
};

struct ExampleConfig {
  std::string name = "example";
  int64_t seed = 0;
  ExampleTrain train;
  ExampleData data;

  void visit_fields(FieldVisitor& visitor) {
    visitor.field("name", name, "of the run");
    visitor.field("seed", seed, "of all random numbers", {.least = 0});
    visitor.group("train", train, "how it trains");
    visitor.group("data", data, "what it trains on");
  }
};

// A folder of this test alone, removed with it.
class ConfigFolder : public testing::Test {
 protected:
  void SetUp() override {
    const auto* const test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              (std::string("rubric-config-") + std::to_string(getpid()) + "-" + test->name());
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((folder_ / name).parent_path());
    write_file(folder_ / name, text);
    return folder_ / name;
  }
  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::filesystem::path folder_;
};

// The message of the InputError that `call` ends with; "" and a failed test when it does not.
inline std::string input_error(const std::function<void()>& call) {
  try {
    call();
  } catch (const InputError& error) {
    return error.what();
  }
  ADD_FAILURE() << "no InputError";
  return "";
}

// The three lines of an Error's message.
inline std::string error_lines(const std::string& what, const std::string& where,
                               const std::string& what_to_do = "") {
  return Error(what, where, what_to_do).what();
}

}  // namespace rubric
