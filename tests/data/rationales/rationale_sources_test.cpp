#include <gtest/gtest.h>

#include "data/rationales/readers.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::rationale_sources_test {

constexpr const char* kKeyed =
    R"({"id": "q", "answerKey": "A", "para": "p", "explanation": {"open-ended": "e"}, )"
    R"("question": {"stem": "s", "choices": [{"label": "A", "text": "a"}]}})";

RationaleSet read_source(const std::string& kind, const std::vector<std::string>& files,
                         const std::vector<std::string>& questions = {}, int64_t explanation = 1) {
  return read_rationale_source({kind, files, questions, explanation});
}

std::string rationale_of(const RationaleSet& set) {
  return set.records.at(0).rationale;
}

TEST(RationaleSources, EachKindHasItsReader) {
  const TemporaryFolder folder;
  const std::string keyed = folder.write("keyed.jsonl", kKeyed);
  EXPECT_EQ(rationale_of(read_source("quartz", {keyed})), "p");
  EXPECT_EQ(rationale_of(read_source("cose", {keyed}, {keyed})), "e");
  EXPECT_EQ(
      rationale_of(read_source(
          "las", {folder.write("las.csv", "id,question,choice_0,label,human_exp\nq,w,a,0,l\n")})),
      "l");
  EXPECT_EQ(rationale_of(read_source(
                "ecqa", {folder.write("ecqa.csv",
                                      "q_no,q_text,q_op1,q_op2,q_op3,q_op4,q_op5,q_ans,taskA_pos\n"
                                      "q,w,a,b,c,d,e,e,t\n")})),
            "t");
  const std::string esnli = folder.write(
      "e.csv",
      "pairID,gold_label,Sentence1,Sentence2,Explanation_1,Explanation_2\nq,neutral,a,b,1,2\n");
  EXPECT_EQ(rationale_of(read_source("esnli", {esnli}, {}, 2)), "2");
}

TEST(RationaleSources, FilesOfASplitAreOneSet) {
  const TemporaryFolder folder;
  const std::string text = "id,question,choice_0,label,human_exp\n";
  const std::string one = folder.write("1.csv", text + "a,w,x,0,l\n");
  const std::string two = folder.write("2.csv", text + "b,w,x,0,l\na,w,x,0,l\n");
  const RationaleSet set = read_source("las", {one, two});
  EXPECT_EQ(set.records.size(), 2u);
  ASSERT_EQ(set.unusable.size(), 1u);
  EXPECT_EQ(set.unusable[0].where, two + ":3");
  const std::string none = folder.write("3.csv", text);
  EXPECT_EQ(input_error([&] {
              read_source("las", {one, none});
            }),
            error_lines("the file has no examples", none, "name a file with examples"));
  expect_contains(input_error([&] { read_source("ecq", {one}); }), "did you mean ecqa?");
}

TEST(RationaleSources, CoseWithoutQuestionsIsExplanations) {
  const TemporaryFolder folder;
  const RationaleSet set = read_source("cose", {folder.write("keyed.jsonl", kKeyed).string()});
  ASSERT_EQ(set.records.size(), 1u);
  EXPECT_EQ(set.records[0].question, "");
}

}  // namespace rubric::data::rationale_sources_test
