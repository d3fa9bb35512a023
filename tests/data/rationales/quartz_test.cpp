#include "data/rationales/quartz.h"

#include <gtest/gtest.h>

#include "data/reading.h"

namespace rubric::data::quartz_test {

using Quartz = Reading<read_quartz>;

// The published form, with members that are not read.
const std::string kLine =
    R"({"id": "QX-1-2", "question": {"stem": "Jo cycles uphill. Is she ______ than on a plain?", )"
    R"("choices": [{"text": "slower", "label": "A"}, {"text": "faster", "label": "B"}]}, )"
    R"("answerKey": "A", "para": "The steeper a road, the slower a bicycle.", )"
    R"("para_id": "P-1", "para_anno": {"effect_prop": "speed"}})";

TEST_F(Quartz, TheKnowledgeIsTheRationale) {
  const auto found = read(kLine + "\n" + kLine + "\n");
  const std::string row =
      R"( {"id": "QX-1-2", "question": "Jo cycles uphill. Is she ______ than on a plain?", "choices": ["slower", "faster"], "label": "slower", "gold": "slower", "rationale": "The steeper a road, the slower a bicycle."}
)";
  EXPECT_EQ(rows_text(found), ":1" + row + ":2" + row);
  EXPECT_EQ(found[1].where, file_ + ":2");
}

TEST_F(Quartz, NeedsTheKnowledge) {
  std::string line = kLine;
  line.replace(line.find("\"para\""), 6, "\"prose\"");
  expect_error(kLine + "\n" + line, {"\"para\"", file_ + ":2: QX-1-2"});
}

}  // namespace rubric::data::quartz_test
