// What of a judge's reply is its answer: the text after its thinking, and JSON by its keys.
#include "judge/verdicts/reply.h"

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include "cases.h"
#include "judge/verdicts/verdicts.h"

namespace rubric::judge::reply_test {

const std::optional<Verdicts> kNoVerdicts;
const std::optional<Verdicts> kFirstAlone = Verdicts{true, false, false, false};

TEST(AnswerText, IsWhatFollowsTheThinking) {
  for (const auto& [reply, answer] :
       cases<std::string, std::string>("judge/verdicts/replies.json", "answer")) {
    EXPECT_EQ(answer_text(reply), answer) << reply;
  }
}

TEST(AnswerText, EndsInThinkingWhereNoTagEndsIt) {
  EXPECT_TRUE(ends_in_thinking("<think>Agree"));
  EXPECT_TRUE(ends_in_thinking("<think>a</think> b <think>c"));
  EXPECT_FALSE(ends_in_thinking("<think>Agree</think>"));
  EXPECT_FALSE(ends_in_thinking("Agree</think>"));
  EXPECT_FALSE(ends_in_thinking("Agree"));
}

TEST(AnswerText, ThinkingCountsForNoParser) {
  const std::string thinking = "<think>1. Agree 2. Agree 3. Agree 4. Agree</think>\n";
  const std::string answer = "1. Agree\n2. Disagree\n3. Disagree\n4. Disagree";
  for (const VerdictParser parser : {VerdictParser::published, VerdictParser::strict}) {
    EXPECT_EQ(read_verdicts(thinking + answer, parser), kFirstAlone);
    EXPECT_EQ(read_verdicts(thinking, parser), kNoVerdicts);
    EXPECT_EQ(read_verdicts("<think>" + answer, parser), kNoVerdicts);
    EXPECT_EQ(read_verdicts("\xEF\xBB\xBF" + answer, parser), kFirstAlone);
  }
  for (const std::string reason :
       {"<reason>It matches.</reason>", "<reasoning>I Agree.</reasoning>",
        "<analysis>It matches.</analysis>", "<thinking>Or Disagree?</thinking>"}) {
    const std::string each = "<think>x</think>1. Agree " + reason + "\n2. Disagree " + reason +
                             "\n3. Disagree\n4. Disagree";
    for (const VerdictParser parser : {VerdictParser::published, VerdictParser::strict}) {
      EXPECT_EQ(read_verdicts(answer + "\n" + reason, parser), kFirstAlone) << reason;
      EXPECT_EQ(read_verdicts(each, parser), kFirstAlone) << reason;
    }
  }
  EXPECT_EQ(answer_text("<think>a</think>b <think>c</think>answer"), "b \nanswer");
}

std::optional<Verdicts> both(const std::string& reply) {
  const auto published = published_verdicts(reply);
  EXPECT_EQ(published, strict_verdicts(reply)) << reply;
  return published;
}

TEST(JsonVerdicts, AreReadByTheirKeys) {
  for (const auto& [reply] : cases<std::string>("judge/verdicts/replies.json", "keyed")) {
    EXPECT_EQ(both(reply), kFirstAlone) << reply;
    EXPECT_EQ(both("Here it is:\n```json\n" + reply + "\n```\nDo you Agree?"), kFirstAlone);
    EXPECT_EQ(both("<think>{\"C\": \"Disagree\"}</think>" + reply), kFirstAlone);
  }
}

TEST(JsonVerdicts, MayQuoteATagOfThinking) {
  for (const std::string tag : {"<think>", "</think>", "[THINK]", "<analysis> and </analysis>"}) {
    const std::string object = R"({"reason": "It has )" + tag +
                               R"( in it", "E": "Disagree", "I": "Disagree", "H": "Disagree", )"
                               R"("C": "Agree")";
    EXPECT_EQ(both(object + "}"), kFirstAlone) << tag;
    EXPECT_EQ(both("Verdicts:\n```json\n" + object + "}\n```"), kFirstAlone) << tag;
    EXPECT_EQ(both("<think>Agree</think>" + object + "}"), kFirstAlone) << tag;
    EXPECT_EQ(both(object + ",}"), kNoVerdicts) << tag;
  }
}

TEST(JsonVerdicts, AreUnderTheKeysOfAVerdict) {
  const auto with = [](const std::string& keys) {
    std::string text;
    for (const auto& [aspect, verdict, opposite] :
         std::vector<std::array<const char*, 3>>{{"C", "Agree", "false"},
                                                 {"H", "Disagree", "true"},
                                                 {"I", "Disagree", "true"},
                                                 {"E", "Disagree", "true"}}) {
      std::string members = keys;
      members.replace(members.find("VERDICT"), 7, verdict);
      const size_t at = members.find("OPPOSITE");
      if (at != members.npos) members.replace(at, 8, opposite);
      text += (text.empty() ? "{" : ", ") + ("\"" + std::string(aspect)) + "\": {" + members + "}";
    }
    return text + "}";
  };
  for (const char* keys :
       {R"("response": "VERDICT")", R"("agreement": "VERDICT", "why": "x")",
        R"("result": "VERDICT")", R"("rating": "VERDICT")", R"("final_answer": "VERDICT")",
        R"("answer": "VERDICT")", R"("candidate_answer": "No", "agreement": "VERDICT")",
        R"("reference_answer": "yes", "rating": "VERDICT")",
        R"("not_agree": OPPOSITE, "verdict": "VERDICT")",
        R"("verdict_confidence": 1, "verdict": "VERDICT")"}) {
    EXPECT_EQ(both(with(keys)), kFirstAlone) << keys;
  }
  for (const char* key : {"not_agree", "doNotAgree", "dont_agree", "disagree", "agree_reason"}) {
    EXPECT_EQ(both(with("\"x\": \"VERDICT\", \"" + std::string(key) + "\": OPPOSITE")), kNoVerdicts)
        << key;
  }
}

// The order of the words says the opposite.
TEST(JsonVerdicts, AreNeverReadInTheOrderOfTheWords) {
  const std::string open =
      R"({"irrelevant": "Disagree", "extraneous": "Disagree", "helpful": "Agree", "correct": "Agree")";
  std::string single = open;
  std::ranges::replace(single, '"', '\'');
  const std::string list =
      R"([{"criterion": 4, "verdict": "Disagree"}, {"criterion": 3, "verdict": "Disagree"},)"
      R"( {"criterion": 2, "verdict": "Agree"}, {"criterion": 1, "verdict": "Agree"},])";
  for (
      const std::string& broken :
      {open + ",}", open, open + "]", single + "}", list,
       std::string("{irrelevant: Disagree, extraneous: Disagree, helpful: Agree, correct: Agree}"),
       std::string("{ “E”: “Disagree”, “I”: “Disagree”, “H”: “Agree”, “C”: “Agree”}"),
       std::string(
           R"("{\"E\": \"Disagree\", \"I\": \"Disagree\", \"H\": \"Agree\", \"C\": \"Agree\"}")")}) {
    for (const std::string before : {"", "Here is my verdict: ", "Sure!\n\n", "Of {308}: "}) {
      EXPECT_EQ(both(before + broken), kNoVerdicts) << before << broken;
      EXPECT_EQ(both(before + "```json\n" + broken + "\n```"), kNoVerdicts) << broken;
    }
  }
}

TEST(JsonVerdicts, AreTheLastOnes) {
  const std::string draft = R"({"C": "Disagree", "H": "Disagree", "I": "Agree", "E": "Agree"})";
  const std::string answer = R"({"E": "Disagree", "I": "Disagree", "H": "Disagree", "C": "Agree"})";
  const auto fenced = [](const std::string& json) { return "```json\n" + json + "\n```\n"; };
  EXPECT_EQ(both("Draft:\n" + fenced(draft) + "Final answer:\n" + fenced(answer)), kFirstAlone);
  EXPECT_EQ(both("Draft:\n" + fenced(draft) + "Final answer: " + answer), kFirstAlone);
  EXPECT_EQ(both("Draft: " + draft + " Final answer: " + answer), kFirstAlone);
  EXPECT_EQ(both(fenced(draft) + "Final answer: " + answer.substr(0, 40)), kNoVerdicts);
  for (const char* after : {R"(Metadata: {"confidence": 0.9})", R"({"time": "3:45", "tokens": 7)",
                            "References:\n[\"dog\", \"cat\"]"}) {
    EXPECT_EQ(both(answer + "\n\n" + after), kFirstAlone) << after;
  }
}

TEST(JsonVerdicts, BracesInASentenceAreText) {
  for (const char* before :
       {"The references are:\n[\"dog\", \"cat\"]", "The candidate says {x: 5}.",
        "The candidate says {x: 5.", "Of {\"x\": 5, \"time\": \"3:45\"}:", "[{\"name\": \"dog\"}]",
        "[\"dog\", \"cat\", \"cow\", \"hen\"]", "[1987, 2001]"}) {
    for (const std::string heading : {"1.", "**1.**", "1)"}) {
      EXPECT_EQ(both(before + ("\n" + heading) + " Agree\n2. Disagree\n3. Disagree\n4. Disagree"),
                kFirstAlone)
          << before;
    }
    EXPECT_EQ(read_preference(before + std::string("\nB")), Preference::b) << before;
  }
}

}  // namespace rubric::judge::reply_test
