#include "data/model_files/model_directory.h"

#include <cstdlib>
#include <map>

#include <gtest/gtest.h>

#include "core/context.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::model_directory_test {

// The places where models are looked for, all in a folder of the test's own.
struct FindModel : testing::Test {
  FindModel() {
    set("RUBRIC_MODELS", path("models").c_str());
    set("HF_HUB_CACHE", nullptr);
    set("HF_HOME", path("hf").c_str());
    set("HOME", path("home").c_str());
  }
  ~FindModel() override {
    for (const auto& [name, value] : saved_) {
      value.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), value.c_str(), 1);
    }
  }

  void set(const char* name, const char* value) {
    saved_.emplace(name, environment(name));
    value == nullptr ? unsetenv(name) : setenv(name, value, 1);
  }
  fs::path path(const std::string& name) const { return folder_.path() / name; }
  fs::path make_model(const std::string& name) const {
    return folder_.write(name + "/config.json", "{}").parent_path();
  }

  TemporaryFolder folder_;
  std::map<std::string, std::string> saved_;
};

TEST_F(FindModel, APathComesFirst) {
  const fs::path model = make_model("here/bert");
  EXPECT_EQ(find_model(model.string()), model);
}

TEST_F(FindModel, ThenTheFolderOfModels) {
  make_model("hf/hub/models--org--bert/snapshots/1");
  const fs::path model = make_model("models/org/bert");
  EXPECT_EQ(find_model("org/bert"), model);
}

TEST_F(FindModel, ThenTheMainSnapshotOfTheCache) {
  make_model("hf/hub/models--org--bert/snapshots/a");
  const fs::path main = make_model("hf/hub/models--org--bert/snapshots/b");
  EXPECT_EQ(find_model("org/bert").filename(), "a");  // no main: the first by name
  folder_.write("hf/hub/models--org--bert/refs/main", "b");
  EXPECT_EQ(find_model("org/bert"), main);
  folder_.write("hf/hub/models--org--bert/refs/main", "gone");
  EXPECT_EQ(find_model("org/bert").filename(), "a");
}

TEST_F(FindModel, TheCacheIsWhereHuggingFacePutsIt) {
  const fs::path at_home = make_model("home/.cache/huggingface/hub/models--bert/snapshots/1");
  const fs::path at_hub_cache = make_model("cache/models--bert/snapshots/1");
  set("HF_HOME", nullptr);
  EXPECT_EQ(find_model("bert"), at_home);
  set("HF_HUB_CACHE", path("cache").c_str());
  EXPECT_EQ(find_model("bert"), at_hub_cache);
}

TEST_F(FindModel, AShippedModelHasANameAndAnother) {
  const ContextScope scope(
      {nullptr, {}, {.shipped = path("shipped"), .fetched = {}, .programs = {}}});
  const fs::path model = path("shipped/models/lerc-answers-small");
  for (const char* const name : {"lerc-answers-small", "lerc-answers"}) {
    EXPECT_EQ(input_error([&] { find_model(name); }),
              error_lines("the model lerc-answers-small is shipped with rubric and not in this "
                          "installation",
                          "looked at " + model.string(),
                          "install rubric again with its folder models/, or name another model"));
  }
  make_model("shipped/models/lerc-answers-small");
  EXPECT_EQ(find_model("lerc-answers-small"), model);
  EXPECT_EQ(find_model("lerc-answers"), model);
  // Others beside it, which scripts/download may have put there, are not shipped.
  make_model("shipped/models/bert");
  expect_contains(input_error([] { find_model("bert"); }), "not on this machine");
  const fs::path own = make_model("models/lerc-answers");
  EXPECT_EQ(find_model("lerc-answers"), own);
}

TEST_F(FindModel, AShippedModelMayBeMeant) {
  for (const char* name : {"lerc_answers", "lerc-answer", "LERC-answers"}) {
    expect_contains(input_error([&] { find_model(name); }),
                    "to do: did you mean lerc-answers, which rubric ships?");
  }
  expect_contains(input_error([] { find_model("lerc_answers_small"); }),
                  "did you mean lerc-answers-small, which");
  EXPECT_FALSE(holds(input_error([] { find_model("bert-base"); }), "did you mean"));
}

TEST_F(FindModel, WhereShippedModelsAreMustBeSaid) {
  const ContextScope scope(Context{});
  expect_contains(input_error([] { find_model("lerc-answers"); }), "resources.shipped");
}

TEST_F(FindModel, AFolderWithoutConfigurationIsNoModel) {
  fs::create_directories(path("models/bert"));
  fs::create_directories(path("hf/hub/models--bert/snapshots/1"));
  expect_contains(input_error([] { find_model("bert"); }), "no config.json found");
  fs::create_directories(path("empty"));
  const std::string empty = path("empty").string();
  EXPECT_EQ(
      input_error([&] { find_model(empty); }),
      error_lines("the folder \"" + empty + "\" holds no model (no config.json in it)", "",
                  "name the folder that holds config.json and the weights, such as a training "
                  "run's DIR/model, or a file that ends in .gguf"));
}

TEST_F(FindModel, AFileIsNoModel) {
  const std::string table = path("some.csv").string();
  write_file(table, "id\n");
  EXPECT_EQ(
      input_error([&] { find_model(table); }),
      error_lines("the model \"" + table + "\" is a file, where a model's folder is needed", "",
                  "name the folder that holds config.json and the weights, such as a training "
                  "run's DIR/model, or a file that ends in .gguf"));
  const std::string folder = make_model("bert").string();
  expect_contains(input_error([&] { find_model(folder + "/config.json"); }),
                  "to do: name its folder, " + folder);
}

TEST_F(FindModel, TheErrorNamesEveryPlaceAndTheCommand) {
  EXPECT_EQ(input_error([] { find_model("org/bert"); }),
            error_lines("the model \"org/bert\" is not on this machine (no config.json found)",
                        "looked at org/bert, " + path("models/org/bert").string() + ", " +
                            path("hf/hub/models--org--bert").string(),
                        "name a model directory, or fetch it: scripts/download org/bert"));
  expect_contains(input_error([] {
                    find_model("org/deberta", {"bert", "roberta"});
                  }),
                  "scripts/download org/deberta; models of these types work: bert, roberta");
  set("RUBRIC_MODELS", nullptr);
  expect_contains(input_error([] { find_model("bert"); }),
                  "looked at bert, models/bert, " + path("hf/hub/models--bert").string() + "\n");
}

TEST_F(FindModel, ARunThatHasNotEndedHasItsBestModel) {
  const std::string run = path("run").string();
  fs::create_directories(path("run/best"));  // without a model so far
  EXPECT_FALSE(holds(input_error([&] { find_model(run); }), "not ended"));
  write_file(run + "/log.jsonl", "");
  write_file(run + "/config.yaml", "");
  for (const std::string& name : {run, run + "/model"}) {
    expect_contains(input_error([&] { find_model(name); }),
                    "has no model: none before its first validation");
  }
  const fs::path best = make_model("run/best");
  for (const std::string& name : {run, run + "/", run + "/model", run + "/model/"}) {
    const std::string message = input_error([&] { find_model(name); });
    expect_contains(message, "to do: the run has not ended: ");
    expect_contains(message, "its best model so far, " + best.string());
  }
  EXPECT_FALSE(holds(input_error([&] { find_model(run + "/modle"); }), "not ended"));
}

TEST_F(FindModel, APathIsNotFetched) {
  const std::string absent = path("absent").string();
  EXPECT_EQ(
      input_error([&] { find_model(absent); }),
      error_lines(
          "the model \"" + absent + "\" is not on this machine (no config.json found)",
          "looked at " + absent,
          "correct the path (in a configuration that of model.name), or train the model first"));
  for (const char* name : {"./bert", "runs/first/model", "org/bert/"}) {
    const std::string message = input_error([&] { find_model(name); });
    expect_contains(message, "correct the path");
    EXPECT_FALSE(holds(message, "models--")) << message;
  }
}

TEST_F(FindModel, OfARunItsModelIsMeant) {
  const fs::path model = make_model("runs/first/model");
  expect_contains(input_error([&] { find_model(path("runs/first").string()); }),
                  "did you mean " + model.string() + "?");
}

TEST(FilesBesideWeights, AreThoseThatAreThere) {
  const TemporaryFolder folder;
  for (const char* name : {"vocab.txt", "config.json", "model.safetensors", "README.md"}) {
    folder.write(name, "");
  }
  EXPECT_EQ(files_beside_weights(folder.path()),
            (std::vector{folder.path() / "config.json", folder.path() / "vocab.txt"}));
  fs::create_symlink("tokenizer.json", folder.path() / "tokenizer.json");  // a loop
  expect_contains(input_error([&] { files_beside_weights(folder.path()); }), "tokenizer.json");
}

TEST(ModelFiles, AreWhatItsScoresDependOn) {
  const TemporaryFolder folder;
  for (const char* name : {"config.json", "README.md", "rubric.yaml", "pytorch_model.bin"}) {
    folder.write(name, "");
  }
  const auto file = [&](const char* name) { return folder.path() / name; };
  EXPECT_EQ(model_files(folder.path()),
            (std::vector{file("config.json"), file("pytorch_model.bin"), file("rubric.yaml")}));
  folder.write("adapter_model.safetensors", "");  // not read
  EXPECT_EQ(model_files(folder.path()),
            (std::vector{file("config.json"), file("pytorch_model.bin"), file("rubric.yaml")}));
  fs::remove(file("adapter_model.safetensors"));
  folder.write("model-1.safetensors", "");
  folder.write("model.safetensors.index.json", "");
  EXPECT_EQ(model_files(folder.path()),
            (std::vector{file("config.json"), file("model-1.safetensors"),
                         file("model.safetensors.index.json"), file("rubric.yaml")}));
}

TEST(ModelConfig, APointerOfGitLfsIsToldAsSuch) {
  const TemporaryFolder folder;
  const auto file = folder.write("config.json", "version https://git-lfs.github.com/spec/v1\n");
  EXPECT_EQ(input_error([&] { read_model_config(folder.path()); }),
            error_lines("only Git LFS's pointer to the file is there, not the file", file.string(),
                        "run `git lfs pull` in its repository, or download the file itself"));
}

TEST_F(FindModel, StrangeNamesAreOnlyNotFound) {
  expect_contains(input_error([] { find_model(""); }), "no model is named");
  expect_contains(input_error([] { find_model(std::string(5000, 'x')); }), "not on this machine");
}

}  // namespace rubric::data::model_directory_test
