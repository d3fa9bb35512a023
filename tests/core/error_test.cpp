#include "core/error.h"

#include <gtest/gtest.h>

namespace rubric {
namespace {

TEST(ErrorMessage, HoldsWhatWhereAndWhatToDoOneALine) {
  EXPECT_STREQ(Error("broken", "file.json:3", "mend it").what(),
               "broken\n  where: file.json:3\n  to do: mend it");
  EXPECT_STREQ(InputError("broken", "", "mend it").what(), "broken\n  to do: mend it");
  EXPECT_STREQ(Interrupted("stopped").what(), "stopped");
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
  EXPECT_EQ(nearest_name("lerning_rte", names), "learning_rate");
  EXPECT_EQ(nearest_name("seed", names), "seed");
}

TEST(NearestName, IsEmptyWhenNothingIsMeant) {
  EXPECT_EQ(nearest_name("output", {"learning_rate", "epochs", "seed"}), "");
  EXPECT_EQ(nearest_name("q", {"id", "a"}), "");  // one letter has nothing in common with these
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

TEST(UnknownName, OffersTheNearestOrAll) {
  EXPECT_STREQ(unknown_name("metric", "lrec", {"bleu1", "lerc"}).what(),
               "there is no metric called \"lrec\"\n  to do: did you mean lerc?");
  EXPECT_STREQ(unknown_name("metric", "x\"y", {"bleu1", "lerc"}).what(),
               "there is no metric called \"x\\\"y\"\n  to do: choose one of bleu1, lerc");
}

}  // namespace
}  // namespace rubric
