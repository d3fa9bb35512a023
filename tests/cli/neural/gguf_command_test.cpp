// Published GGUF files: texts in, likelihoods and greedy texts out, as transformers has them with
// the dequantised weights (tests/fixtures/make_gguf.py).
#include <gtest/gtest.h>

#include "metrics/neural/likelihood_fixture.h"

namespace rubric::gguf_command_test {

namespace fs = std::filesystem;

struct PublishedGguf : SequenceCommand, testing::WithParamInterface<const char*> {};

TEST_P(PublishedGguf, ComputesAsTransformers) {
  const fs::path model = fs::path(fetched_folder()) / GetParam() / "model.gguf";
  if (!fs::exists(model)) GTEST_SKIP() << "no " << model << ": scripts/setup --" << GetParam();
  const Json expected = Json::parse_file(std::string(fixtures_folder()) + "/gguf/real.json");
  const Json::Array& rows = expected.find(GetParam())->find("rows")->array();
  std::vector<Json> input;
  for (const Json& row : rows) {
    input.push_back(source_target(row.find("source")->string(), row.find("target")->string()));
  }
  write_lines("rows.jsonl", input);
  const Environment cache = {{"XDG_CACHE_HOME", file("cache")}};
  const auto run_on_rows = [&](std::vector<std::string> arguments, const std::string& output) {
    for (const std::string& each : {std::string("--model"), model.string(), std::string("--input"),
                                    file("rows.jsonl"), std::string("--output"), file(output)}) {
      arguments.push_back(each);
    }
    const Outcome outcome = run(arguments, cache);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
  };
  run_on_rows({"score", "likelihood"}, "scored.jsonl");
  run_on_rows({"generate", "--max-new-tokens", "20"}, "texts.jsonl");
  const std::vector<Json> scores = read_lines("scored.jsonl"), texts = read_lines("texts.jsonl");
  ASSERT_EQ(scores.size(), rows.size());
  ASSERT_EQ(texts.size(), rows.size());
  for (size_t i = 0; i < rows.size(); ++i) {
    SCOPED_TRACE(rows[i].find("source")->string());
    EXPECT_NEAR(scores[i].find("scores")->find("likelihood")->number(),
                rows[i].find("likelihood")->number(), 1e-4);
    EXPECT_EQ(texts[i].find("generated")->string(), rows[i].find("greedy")->string());
  }
}

// Its chat template is known. What it writes is what the template's text alone, as a source, has.
TEST_F(SequenceCommand, ChatsOfAPublishedGgufAreThoseOfItsTemplate) {
  const fs::path model = fs::path(fetched_folder()) / "smollm2" / "model.gguf";
  if (!fs::exists(model)) GTEST_SKIP() << "no " << model << ": scripts/setup --smollm2";
  const std::string question = "What is the capital of France?";
  const std::string chat =
      "<|im_start|>system\nYou are a helpful AI assistant named SmolLM, trained by Hugging "
      "Face<|im_end|>\n<|im_start|>user\n" +
      question + "<|im_end|>\n<|im_start|>assistant\n";
  const auto text_of = [&](const std::string& source, const std::string& family) {
    write_lines("rows.jsonl", {source_target(source, "-")});
    const Outcome outcome =
        run({"generate", "--model", model.string(), "--input", file("rows.jsonl"), "--output",
             file("texts.jsonl"), "--max-new-tokens", "20", "--chat-template", family},
            {{"XDG_CACHE_HOME", file("cache")}});
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return read_lines("texts.jsonl").at(0).find("generated")->string();
  };
  const std::string text = text_of(question, "auto");
  expect_contains(text, "Paris");
  EXPECT_EQ(text, text_of(chat, "none"));
  EXPECT_EQ(text, text_of(question, "smollm2"));
}

INSTANTIATE_TEST_SUITE_P(Files, PublishedGguf, testing::Values("smollm2", "gemma3"));

}  // namespace rubric::gguf_command_test
