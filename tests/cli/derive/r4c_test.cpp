// `derive r4c-baseline`, `r4c-pairs` and `derivations` as a user starts them.
#include <sstream>

#include <gtest/gtest.h>

#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "measured.h"
#include "paths.h"

namespace rubric::cli::derive_r4c_test {

const std::string kFixture = std::string(fixtures_folder()) + "/derive";

struct Derive : testing::Test {
  Outcome derive(const std::string& baseline, const std::string& articles,
                 const std::string& parses) const {
    return run({"derive", "r4c-baseline", baseline, "--articles", articles, "--parses", parses,
                "--output", folder_.file("predictions.json")});
  }

  TemporaryFolder folder_;
};

TEST_F(Derive, WritesAPredictionFile) {
  ASSERT_EQ(derive("core", kFixture + "/articles.json", kFixture + "/parses.conllu").code, 0);
  const Json predictions = Json::parse_file(folder_.file("predictions.json"));
  const Json expected = Json::parse_file(kFixture + "/expected.json");
  EXPECT_EQ(predictions.find("re")->dump(), expected.find("core")->dump());
  EXPECT_EQ(predictions.find("sp")->find("q1")->dump(),
            R"([["Anna Berg", 0], ["Blue School", 0]])");
  // What was derived is judged: against itself it is right.
  folder_.write("gold.json", [&] {
    Json gold;
    for (const auto& [id, steps] : predictions.find("re")->object()) {
      if (!steps.array().empty()) gold[id] = Json::Array{steps};
    }
    return gold.dump();
  }());
  const Outcome outcome = done(run({"evaluate", "r4c", "--gold", folder_.file("gold.json"),
                                    "--predictions", folder_.file("predictions.json"), "--hotpotqa",
                                    kFixture + "/articles.json", "--format", "json"}));
  EXPECT_EQ(
      value_of(Json::parse(outcome.out, "stdout"), "f1", {.metric = "er", .system = "predictions"}),
      1);
}

TEST_F(Derive, ReadsWhatAModelWrote) {
  folder_.write("generated.jsonl",
                R"({"id": "q1", "prediction": "T | 0 | a | is | b ; T | 1 | b | is | c"}
{"id": "q2", "prediction": "T | 0 | a | is"}
{"id": "q3", "prediction": ""}
)");
  const Outcome outcome =
      done(run({"derive", "derivations", "--input", folder_.file("generated.jsonl"), "--text",
                "prediction", "--output", folder_.file("predictions.json")}));
  expect_says(outcome.err, {"1 of 3 texts are malformed", "\"q2\""});
  EXPECT_EQ(
      Json::parse_file(folder_.file("predictions.json")).find("re")->dump(),
      R"({"q1": [["T", 0, ["a", "is", "b"]], ["T", 1, ["b", "is", "c"]]], "q2": [], "q3": []})");
  folder_.write("numbers.jsonl", R"({"id": 7, "text": ""})");
  EXPECT_EQ(run({"derive", "derivations", "--input", folder_.file("numbers.jsonl"), "--output",
                 folder_.file("predictions.json")})
                .code,
            0);
  EXPECT_EQ(Json::parse_file(folder_.file("predictions.json")).find("re")->dump(), R"({"7": []})");
  folder_.write("nameless.jsonl", R"({"id": null, "text": ""})");
  expect_message(run({"derive", "derivations", "--input", folder_.file("nameless.jsonl"),
                      "--output", "o.json"}),
                 2, {"\"id\" is empty", "nameless.jsonl:1"});
  folder_.write("twice.csv", "id,text\nq1,\nq1,\n");
  expect_message(
      run({"derive", "derivations", "--input", folder_.file("twice.csv"), "--output", "o.json"}), 2,
      {"\"q1\" is there twice", "twice.csv:3"});
  expect_message(run({"derive", "derivations", "--output", "o.json"}), 2, {"--input is missing"});
  expect_message(run({"derive", "r4c-baseline", "core", "--input", "x", "--output", "o.json"}), 2,
                 {"no option --input"});
  expect_message(run({"derive", "r4c-baseline", "ie", "--text", "x", "--output", "o.json"}), 2,
                 {"no option --text"});
}

TEST_F(Derive, NamesWhatIsMissing) {
  const std::string articles = kFixture + "/articles.json", parses = kFixture + "/parses.conllu";
  expect_message(derive("cor", articles, parses), 2, {"did you mean core?"});
  expect_message(run({"derive", "r4c-baseline", "--articles", articles, "--parses", parses,
                      "--output", folder_.file("p.json")}),
                 2, {"the baseline is missing"});
  expect_message(run({"derive"}), 2, {"no kind is named", "name one of r4c-baseline"});
  expect_message(run({"derive", "derivation"}), 2, {"did you mean derivations?"});
  folder_.write("some.conllu",
                "# article = Anna Berg\n# sentence = 0\n1\tx\t_\t_\tNN\t_\t0\t_\t_\t_\n");
  expect_message(derive("core", articles, folder_.file("some.conllu")), 2,
                 {"supporting facts are not parsed", "Anna Berg 1", "scripts/parse"});
  expect_message(derive("core", folder_.file("no.json"), parses), 2, {"no.json"});
  EXPECT_EQ(folder_.names(), std::vector<std::string>{"some.conllu"});
}

const std::string kSample = "samples/r4c/";

struct DerivePairs : Derive {
  Outcome pairs(const std::string& split, const std::vector<std::string>& more = {}) const {
    return run(joined({"derive", "r4c-pairs", "--hotpotqa", kSample + "hotpot_" + split + ".json",
                       "--output", folder_.file("pairs.jsonl")},
                      more));
  }

  std::vector<Json> rows() const {
    std::vector<Json> rows;
    std::istringstream lines(read_file(folder_.file("pairs.jsonl")));
    for (std::string line; std::getline(lines, line);) rows.push_back(Json::parse(line, "row"));
    return rows;
  }
};

TEST_F(DerivePairs, WritesARowForEachReference) {
  const Outcome outcome = done(pairs("train", {"--derivations", kSample + "train.json"}));
  expect_contains(outcome.err, "120 rows in");
  const std::vector<Json> all = rows();
  ASSERT_EQ(all.size(), 120u);
  EXPECT_EQ(all[1].dump(),
            R"({"id": "s000", "source": "In which country was Mira Holt born? ; )"
            R"(Mira Holt | 0 | Mira Holt was born in Arden. ; Arden | 0 | Arden is a town in )"
            R"(Norland.", "target": "Mira Holt | 0 | Mira Holt | is from | Arden ; )"
            R"(Arden | 0 | Arden | is in | Norland"})");
}

TEST_F(DerivePairs, WithoutDerivationsThereAreNoTargets) {
  ASSERT_EQ(pairs("dev").code, 0);
  const std::vector<Json> all = rows();
  ASSERT_EQ(all.size(), 10u);
  EXPECT_EQ(all[0].find("target"), nullptr);
  expect_contains(all[0].find("source")->string(), "? ; ");
}

// The path of a model that writes what it should.
TEST_F(DerivePairs, TheTargetsThemselvesAreRight) {
  ASSERT_EQ(pairs("dev", {"--derivations", kSample + "dev.json", "--max-references", "1"}).code, 0);
  const Outcome text =
      done(run({"derive", "derivations", "--input", folder_.file("pairs.jsonl"), "--text", "target",
                "--output", folder_.file("predictions.json")}));
  EXPECT_EQ(text.err.find("malformed"), std::string::npos) << text.err;
  const Outcome judged = done(run({"evaluate", "r4c", "--gold", kSample + "dev.json",
                                   "--predictions", folder_.file("predictions.json"), "--hotpotqa",
                                   kSample + "hotpot_dev.json", "--format", "json"}));
  for (const char* const scorer : {"e", "r", "er"}) {
    EXPECT_EQ(value_of(Json::parse(judged.out, "stdout"), "f1",
                       {.metric = scorer, .system = "predictions"}),
              1)
        << scorer;
  }
}

// README's example: eight derivations are references, one has the first of two steps, one is
// malformed. Its precision is 9 / 10, its recall 8.5 / 10, its F1 (8 + 2/3) / 10.
TEST_F(DerivePairs, TextsOfTheSampleAreJudged) {
  const Outcome text =
      done(run({"derive", "derivations", "--input", kSample + "written.jsonl", "--text",
                "generated", "--output", folder_.file("predictions.json")}));
  expect_contains(text.err, "1 of 10 texts are malformed");
  const Json json =
      printed_json(run({"evaluate", "r4c", "--gold", kSample + "dev.json", "--predictions",
                        folder_.file("predictions.json"), "--format", "json"}));
  for (const char* const scorer : {"e", "r", "er"}) {
    EXPECT_NEAR(value_of(json, "precision", {.metric = scorer, .system = "predictions"}), 0.9,
                1e-12)
        << scorer;
    EXPECT_NEAR(value_of(json, "recall", {.metric = scorer, .system = "predictions"}), 0.85, 1e-12)
        << scorer;
    EXPECT_NEAR(value_of(json, "f1", {.metric = scorer, .system = "predictions"}),
                (8 + 2 / 3.0) / 10, 1e-12)
        << scorer;
  }
}

TEST_F(DerivePairs, NamesWhatIsWrong) {
  expect_message(pairs("dev", {"--derivations", kSample + "train.json"}), 2,
                 {"lacks 40 of the questions that have references", "\"s000\"", "40 in all"});
  expect_message(pairs("dev", {"--max-references", "1"}), 2,
                 {"--max-references is only valid with --derivations"});
  expect_message(pairs("dev", {"--text", "x"}), 2, {"no option --text"});
  expect_message(run({"derive", "r4c-pairs", "--output", folder_.file("o")}), 2,
                 {"--hotpotqa is missing"});
  expect_message(run({"derive", "r4c-pairs", "--hotpotqa", kSample + "hotpot_dev.json", "--output",
                      kSample + "hotpot_dev.json"}),
                 2, {"--output"});
  folder_.write("facts.json", R"([{"_id": "q", "question": "Who?", "answer": "x",)"
                              R"( "supporting_facts": [["A", 3], ["A", 0]],)"
                              R"( "context": [["A", ["A is x."]]]}])");
  const Outcome outcome = done(run({"derive", "r4c-pairs", "--hotpotqa", folder_.file("facts.json"),
                                    "--output", folder_.file("pairs.jsonl")}));
  expect_contains(outcome.err,
                  "1 supporting facts name sentences that do not exist, and are left out: "
                  "q: A 3");
  EXPECT_EQ(rows()[0].find("source")->string(), "Who? ; A | 0 | A is x.");
}

}  // namespace rubric::cli::derive_r4c_test
