#include "data/rationales/quartz.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::quartz_test {

// The published form, with members that are not read.
const std::string kLine =
    R"({"id": "QX-1-2", "question": {"stem": "Jo cycles uphill. Is she ______ than on a plain?", )"
    R"("choices": [{"text": "slower", "label": "A"}, {"text": "faster", "label": "B"}]}, )"
    R"("answerKey": "A", "para": "The steeper a road, the slower a bicycle.", )"
    R"("para_id": "P-1", "para_anno": {"effect_prop": "speed"}})";

TEST(Quartz, TheKnowledgeIsTheRationale) {
  const TemporaryFolder folder;
  const auto found = read_quartz(folder.write("train.jsonl", kLine + "\n" + kLine + "\n"));
  ASSERT_EQ(found.size(), 2u);
  EXPECT_EQ(found[1].record.id, "QX-1-2");
  EXPECT_EQ(found[1].record.question, "Jo cycles uphill. Is she ______ than on a plain?");
  EXPECT_EQ(found[1].record.choices, (std::vector<std::string>{"slower", "faster"}));
  EXPECT_EQ(found[1].record.label, "slower");
  EXPECT_EQ(found[1].record.rationale, "The steeper a road, the slower a bicycle.");
  EXPECT_EQ(found[1].where, folder.file("train.jsonl") + ":2");
}

TEST(Quartz, NeedsTheKnowledge) {
  const TemporaryFolder folder;
  std::string line = kLine;
  line.replace(line.find("\"para\""), 6, "\"prose\"");
  const std::string message =
      input_error([&] { read_quartz(folder.write("train.jsonl", kLine + "\n" + line)); });
  expect_says(message, {"\"para\"", "train.jsonl:2: QX-1-2"});
}

}  // namespace rubric::data::quartz_test
