#include <gtest/gtest.h>

#include "data/rationales/task_outputs.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::published_outputs_test {

const std::string kRows =
    R"({"id": "a", "question": " Where? ", "choices": ["hill", "sea"], "label": "sea", "rationale": "r"}
{"id": "b", "question": "Where?", "choices": ["sea", "hill"], "label": "sea", "rationale": "r"}
{"id": "c", "question": "When?", "choices": ["now"], "label": "now", "rationale": "r"}
{"id": "d", "question": "When?", "choices": ["now"], "label": "now", "rationale": "r"}
{"id": "n", "premise": "It rains.", "hypothesis": "It is wet.", "label": "entailment", "rationale": "r"}
)";

TEST(InputIds, AreFoundByQuestionAndChoices) {
  const TemporaryFolder folder;
  const InputIds ids = read_input_ids(folder.write("rows.jsonl", kRows));
  const auto id = [&](const std::string& row) {
    return input_id(ids, Json::parse(row, "row"), "out.jsonl:7");
  };
  EXPECT_EQ(id(R"({"question": "Where?", "choices": ["hill ", "sea"]})"), "a");
  EXPECT_EQ(id(R"({"question": "Where?", "choices": ["sea", "hill"]})"), "b");
  EXPECT_EQ(id(R"({"premise": "It rains.", "hypothesis": "It is wet.", "choices": ["x"]})"), "n");
  EXPECT_EQ(id(R"({"question": "Where?", "choices": ["hill", "lake"]})"), "");
  const std::string several =
      input_error([&] { id(R"({"question": "When?", "choices": ["now"]})"); });
  expect_says(several, {"2 rows of --ids ask this: c, d", "out.jsonl:7"});
}

}  // namespace rubric::data::published_outputs_test
