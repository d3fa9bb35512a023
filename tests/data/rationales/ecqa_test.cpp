#include "data/rationales/ecqa.h"

#include <cstdlib>

#include <gtest/gtest.h>

#include "data/reading.h"

namespace rubric::data::ecqa_test {

using Ecqa = Reading<read_ecqa>;

// As the authors of REV keep it, with pandas' row numbers before.
const std::string kHeader =
    ",q_no,q_concept,q_text,q_op1,q_op2,q_op3,q_op4,q_op5,q_ans,taskA_pos,taskA_neg,taskB\n";
const std::string kRow =
    "0,q1,boat,\"Where, at night, do boats rest?\",hill,harbour,desk,bag,tree,harbour,"
    "\"Boats float.\nA harbour\r\nis calm.\",\"Hills are dry.\",Free text\n";

TEST_F(Ecqa, TheReasonsForTheAnswerAreTheRationale) {
  const auto found = read(kHeader + kRow + kRow);
  const std::string row =
      R"( {"id": "q1", "question": "Where, at night, do boats rest?", "choices": ["hill", "harbour", "desk", "bag", "tree"], "label": "harbour", "gold": "harbour", "rationale": "Boats float. A harbour is calm."}
)";
  EXPECT_EQ(rows_text(found), ":2" + row + ":5" + row);
  EXPECT_EQ(found[0].where, file_ + ":2");
}

TEST_F(Ecqa, EveryColumnIsNeeded) {
  for (const std::string column : {"q_no", "q_text", "q_op1", "q_op5", "q_ans", "taskA_pos"}) {
    std::string header = kHeader;
    header.replace(header.find(column), column.size(), "other");
    expect_error(header + kRow, {"the column \"" + column + "\" is missing", file_ + ":1"});
  }
}

TEST(EcqaRealData, IsReadAsItsAuthorsWroteIt) {
  const char* data = std::getenv("RUBRIC_DATA");
  if (data == nullptr) GTEST_SKIP() << "RUBRIC_DATA is not set";
  const auto found = read_ecqa(std::filesystem::path(data) / "rev_ecqa_sample" / "dev.csv");
  ASSERT_EQ(usable_rationales(found).records.size(), 2u);
  EXPECT_EQ(found[0].record.id, "af836abc58e0daf36df1d8d6830b70c5");
  EXPECT_EQ(found[0].record.label, "anxiety and fear");
  EXPECT_EQ(found[0].record.rationale,
            "Anxiety is the feeling of fear when doing something with an uncertain outcome. "
            "Applying for a job has an uncertain outcome.");
}

}  // namespace rubric::data::ecqa_test
