// What an installed program finds beside itself.
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/system/process.h"
#include "data/model_files/shipped_models.h"
#include "paths.h"
#include "rubric/version.h"

namespace rubric::cli::installed_test {

// Of `cmake --install` the part that lies in the repository; the program is copied.
struct Installed : testing::Test {
  void SetUp() override {
    const std::string log = folder_.file("log");
    ASSERT_EQ(run_process({RUBRIC_CMAKE, "--install", RUBRIC_BUILD, "--prefix",
                           folder_.file("prefix"), "--component", "shipped"},
                          {"", log, log}),
              0)
        << read_file(log);
    copy_program(folder_.file("prefix"));
  }
  int run_installed(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), program_);
    return run_process(arguments, {"", folder_.file("out"), folder_.file("err")});
  }

  TemporaryFolder folder_;
  std::string program_ = folder_.file("prefix/bin/rubric");
};

// `cmake --install` without a component leaves the Python package out, where it was built.
TEST(InstallScript, LeavesThePythonPackageOut) {
  const fs::path script = fs::path(RUBRIC_BUILD) / "python/cmake_install.cmake";
  if (!fs::exists(script)) GTEST_SKIP() << "built without Python";
  const std::string rules = read_file(script);
  expect_contains(rules, "CMAKE_INSTALL_COMPONENT STREQUAL \"python\"");
  EXPECT_FALSE(holds(rules, "STREQUAL \"python\" OR NOT CMAKE_INSTALL_COMPONENT"));
}

// With a shell script where the environment's python is expected, which wants to read the other.
TEST_F(Installed, TheSegmentersScript) {
  const std::string segmenters = "prefix/share/rubric/segmenters/";
  const fs::path python = folder_.write(
      segmenters + "bin/python",
      "#!/bin/sh\n"
      "grep -q pythainlp \"$1\" || exit 1\n"
      "echo '{\"segmenter\": \"'$2'-0.1\"}'\n"
      "while read -r line; do printf '{\"words\": [%s, \"more\"]}\\n' \"$line\"; done\n");
  fs::permissions(python, fs::perms::owner_all);
  folder_.write(segmenters + "DONE", "");
  const fs::path replies = folder_.write("replies.csv",
                                         "passage,question,reference,candidate,reply\n"
                                         "p,q,r,a,Agree Agree Agree Agree\n");
  const std::string ledger = folder_.file("ledger.jsonl");
  ASSERT_EQ(run_installed({"judge", "--import", replies, "--system-name", "s", "--judge", "j",
                           "--ledger", ledger}),
            0)
      << read_file(folder_.file("err"));
  ASSERT_EQ(run_installed({"evaluate", "chie", "--ledger", ledger, "--format", "csv"}), 0)
      << read_file(folder_.file("err"));
  expect_contains(read_file(folder_.file("err")), "|words:newmm-0.1");
  expect_contains(read_file(folder_.file("out")), "length,s,,,,,,,mean,2,");
}

TEST_F(Installed, ThePrompts) {
  for (const std::string name : {"chie_en.txt", "preference_en.txt"}) {
    EXPECT_EQ(read_file(folder_.file("prefix/share/rubric/configs/prompts/" + name)),
              read_file(std::string(source_folder()) + "/configs/prompts/" + name));
  }
}

// And none that scripts/download has put beside them.
TEST_F(Installed, TheShippedModels) {
  const fs::path models = fs::path(source_folder()) / "models";
  const fs::path installed = folder_.file("prefix/share/rubric/models");
  for (const data::ShippedModel* const model : data::kShippedModels) {
    for (const auto& entry : fs::directory_iterator(models / model->name)) {
      const fs::path file = fs::path(model->name) / entry.path().filename();
      EXPECT_EQ(read_file(installed / file), read_file(models / file)) << file;
    }
  }
  EXPECT_EQ(std::distance(fs::directory_iterator(installed), {}), std::ssize(data::kShippedModels));
}

TEST_F(Installed, ManualPagesAndCompletion) {
  const std::string share = folder_.file("prefix/share/");
  EXPECT_TRUE(fs::exists(share + "man/man1/rubric-evaluate-agreement.1"));
  for (const auto& [shell, file] : std::vector<std::pair<std::string, std::string>>{
           {"bash", "bash-completion/completions/rubric"},
           {"bash", "bash-completion/completions/score"},
           {"zsh", "zsh/site-functions/_rubric"},
           {"fish", "fish/vendor_completions.d/rubric.fish"},
           {"fish", "fish/vendor_completions.d/score.fish"}}) {
    EXPECT_EQ(read_file(share + file), run({"rubric", "completion", shell}).out) << file;
  }
}

// Programs of somebody else find the package and link the libraries.
TEST_F(Installed, TheLibrary) {
  const std::string log = folder_.file("log"), prefix = folder_.file("prefix"),
                    build = folder_.file("build");
  const std::vector<std::vector<std::string>> commands = {
      {RUBRIC_CMAKE, "--install", RUBRIC_BUILD, "--prefix", prefix, "--component", "library"},
      {RUBRIC_CMAKE, "-S", std::string(source_folder()) + "/tests/installed", "-B", build,
       "-DCMAKE_PREFIX_PATH=" + prefix, std::string("-DCMAKE_CXX_FLAGS=") + RUBRIC_FLAGS},
      {RUBRIC_CMAKE, "--build", build}};
  for (const std::vector<std::string>& command : commands) {
    ASSERT_EQ(run_process(command, {"", log, log}), 0) << read_file(log);
  }
  const std::string examples = build + "/examples/",
                    judgements = std::string(source_folder()) + "/samples/own/judgements.csv";
  ASSERT_EQ(run_process({examples + "score_three_rows"}, {"", folder_.file("out"), log}), 0)
      << read_file(log);
  const std::string out = read_file(folder_.file("out"));
  EXPECT_TRUE(
      out.starts_with("1\n0.666667\n0\nf1|case:lc|tok:squad|rubric:" + version_with_build() + "\n"))
      << out;
  const std::string scored = folder_.file("scored.csv");
  ASSERT_EQ(
      run_process({examples + "own_metric", judgements, scored}, {"", folder_.file("out"), log}), 0)
      << read_file(log);
  // "at 6 pm" shares one of seven words with "at six in the evening".
  expect_contains(read_file(scored), "Fridays?\",5,0.142857,");
  expect_contains(read_file(folder_.file("out")), "jaccard");

  if (!fs::exists(std::string(RUBRIC_BUILD) + "/lib/librubric-neural.so")) return;  // light alone
  const std::string model = std::string(fixtures_folder()) + "/lerc";
  const Json row = Json::parse_file(model + "/expected.json").array()[1];
  std::vector<std::string> command = {build + "/score_with_model", model};
  for (const char* const field : {"passage", "question", "reference", "candidate"}) {
    command.push_back(row.find(field)->string());
  }
  ASSERT_EQ(run_process(command, {"", folder_.file("out"), log}), 0) << read_file(log);
  std::istringstream lines(read_file(folder_.file("out")));
  std::string first;
  std::getline(lines, first);
  EXPECT_EQ(first, "input error");  // thrown in the library, caught in the program
  double score = 0;
  lines >> score;
  EXPECT_NEAR(score, row.find("expected")->find("pqac")->find("score")->number(), 1e-4);

  const std::string mine = folder_.file("mine");
  ASSERT_EQ(run({"rubric", "split", "--input", judgements, "--field", "score=rating", "--shares",
                 "train=0.6,dev=0.4", "--output", mine})
                .code,
            0);
  ASSERT_EQ(run_process({examples + "train_on_judgements", prefix + "/share/rubric",
                         mine + "/train.jsonl", mine + "/dev.jsonl", folder_.file("run")},
                        {"", folder_.file("out"), log}),
            0)
      << read_file(log);
  const std::string trained = read_file(folder_.file("out"));
  expect_contains(trained, "epoch 3: r on dev ");
  expect_contains(trained, "lerc-answers as it was");
  expect_contains(trained, "score: ");
  expect_contains(read_file(log), ": loss ");
}

}  // namespace rubric::cli::installed_test
