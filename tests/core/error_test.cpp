#include "core/error.h"

#include <gtest/gtest.h>

namespace rubric::error_test {

TEST(ErrorMessage, HoldsWhatWhereAndWhatToDoOneALine) {
  EXPECT_STREQ(Error("broken", "file.json:3", "mend it").what(),
               "broken\n  where: file.json:3\n  to do: mend it");
  EXPECT_STREQ(InputError("broken", "", "mend it").what(), "broken\n  to do: mend it");
  EXPECT_STREQ(Interrupted("stopped").what(), "stopped");
}

TEST(ErrorMessage, OfAnErrorThatIsPassedOnHasOneAdvice) {
  const std::string inner = Error("no end", "line 2", "write it again").what();
  EXPECT_EQ(std::string(Error(inner, "f.json").what()),
            "no end\n  where: line 2\n  where: f.json\n  to do: write it again");
  EXPECT_EQ(std::string(Error("no model: " + inner, "", "name another").what()),
            "no model: no end\n  where: line 2\n  to do: name another");
}

TEST(ErrorMessage, KindsAreErrors) {
  EXPECT_THROW(throw InputError("x"), Error);
  EXPECT_THROW(throw Interrupted("x"), Error);
  EXPECT_THROW(throw Error("x"), std::runtime_error);
}

TEST(NearestName, IsTheClosestInEditDistance) {
  const std::vector<std::string> names = {"learning_rate", "epochs", "seed", "train"};
  EXPECT_EQ(nearest_name("epoch", names), "epochs");
  EXPECT_EQ(nearest_name("trian", names), "train");
  EXPECT_EQ(nearest_name("f2", {"em", "f1"}), "f1");
  EXPECT_EQ(nearest_name("lrec", {"lerc", "em"}), "lerc");  // exchanged neighbours are one edit
  EXPECT_EQ(nearest_name("lerning_rte", names), "learning_rate");
  EXPECT_EQ(nearest_name("seed", names), "seed");
}

TEST(NearestName, IsEmptyWhenNothingIsMeant) {
  EXPECT_EQ(nearest_name("output", {"learning_rate", "epochs", "seed"}), "");
  EXPECT_EQ(nearest_name("q", {"id", "a"}), "");  // one letter has nothing in common with these
  EXPECT_EQ(nearest_name("nope", {"copy", "number"}), "");  // two of four letters
  EXPECT_EQ(nearest_name("", {"ab"}), "");
  EXPECT_EQ(nearest_name("seed", {}), "");
  EXPECT_EQ(nearest_name(std::string(101, 'a'), {std::string(100, 'a')}), "");
  EXPECT_EQ(nearest_name(std::string(100, 'a'), {std::string(1 << 20, 'a')}), "");
}

TEST(Join, PutsTheSeparatorBetweenAllParts) {
  EXPECT_EQ(join({}), "");
  EXPECT_EQ(join({"a", "b", "c"}), "a, b, c");
  EXPECT_EQ(join({"", "a", ""}, "/"), "/a/");
}

TEST(JoinSome, CountsWhatItDoesNotList) {
  std::vector<std::string> parts(10, "x");
  EXPECT_EQ(join_some(parts), join(parts));
  parts.emplace_back("y");
  EXPECT_EQ(join_some(parts), "x, x, x, x, x, x, x, x, x, x, … 11 in all");
}

TEST(NearestName, CaseHyphensAndUnderscoresDoNotCount) {
  EXPECT_EQ(nearest_name("BERTScore", {"bartscore", "bertscore"}), "bertscore");
  EXPECT_EQ(nearest_name("LEARNING-RATE", {"learning_rate", "learning_step"}), "learning_rate");
  EXPECT_EQ(nearest_name("rougeL", {"rouge_l", "rougeL"}), "rougeL");  // as written
}

TEST(UnknownName, OffersAllThatMayBeMeant) {
  const std::vector<std::string> names = {"bleu1", "bleu2", "rouge_l", "rouge1", "rougeL", "em"};
  const auto advice = [&](const std::string& name) {
    const std::string text =
        unknown_name("metric", name, names, "", {{"exact_match", "em"}}).what();
    return text.substr(text.rfind("to do: ") + 7);
  };
  EXPECT_EQ(advice("BLEU"), "did you mean bleu1 or bleu2?");
  EXPECT_EQ(advice("ROUGE-L"), "did you mean rouge_l or rougeL?");
  EXPECT_EQ(advice("EM"), "did you mean em?");
  EXPECT_EQ(advice("ExactMatch"), "did you mean em?");
}

TEST(UnknownName, OffersTheNearestOrAll) {
  EXPECT_STREQ(unknown_name("metric", "lrec", {"bleu1", "lerc"}).what(),
               "there is no metric called \"lrec\"\n  to do: did you mean lerc?");
  EXPECT_STREQ(unknown_name("metric", "x\"y", {"bleu1", "lerc"}).what(),
               "there is no metric called \"x\\\"y\"\n  to do: choose one of bleu1, lerc");
}

TEST(Errors, CountsHaveTheNumberOfTheirNoun) {
  EXPECT_EQ(counted(1, "question"), "1 question");
  EXPECT_EQ(counted(0, "question"), "0 questions");
  EXPECT_EQ(counted(2, "reply"), "2 replies");
  EXPECT_EQ(counted(1, "reply"), "1 reply");
  EXPECT_EQ(counted(2, "day"), "2 days");
  EXPECT_EQ(counted(2, "row is a copy", "rows are copies"), "2 rows are copies");
  EXPECT_EQ(counted(1, "question has", "questions have"), "1 question has");
}

}  // namespace rubric::error_test
