#include <gtest/gtest.h>

#include "data/rationales/readers.h"
#include "messages.h"

namespace rubric::data::rationale_set_test {

RationaleExample example(const std::string& id, const std::string& rationale = "because") {
  RationaleExample found;
  found.record = {id, "Where?", "", "", {"here", "there"}, "here", "here", rationale, ""};
  found.where = "f:" + id;
  return found;
}

TEST(RationaleSet, PartsWhatCannotBeUsed) {
  std::vector<RationaleExample> found = {example("1"), example("2", " \n"), example(""),
                                         example("1"), example("3"),        example("4", ""),
                                         example("5")};
  found[4].record.label = "hereabouts";
  found[6].problem = "the reader says so";
  const RationaleSet set = usable_rationales(found);
  ASSERT_EQ(set.records.size(), 1u);
  EXPECT_EQ(set.records[0].id, "1");
  EXPECT_EQ(list_problems(set),
            (std::vector<std::string>{
                "the rationale is missing or empty (2): 2, 4",
                "the id is missing or empty (1): ", "the id stood before (1): 1",
                R"(the label "hereabouts" is not among the choices "here", "there" (1): 3)",
                "the reader says so (1): 5"}));
  const std::string message = unusable_error(set).what();
  expect_says(message, {"6 of 7 examples cannot be used: the rationale is missing or empty (2)",
                        "where: f:2: 2\n", "--keep-going"});
}

TEST(RationaleSet, RationalesAloneCanBeChecked) {
  std::vector<RationaleExample> found(2);
  found[0].record.id = "1";
  found[0].record.rationale = "because";
  found[1].record.id = "2";
  const RationaleSet set = usable_rationales(found, Checked::rationales);
  EXPECT_EQ(set.records.size(), 1u);
  EXPECT_EQ(set.unusable.size(), 1u);
  EXPECT_TRUE(usable_rationales(found).records.empty());
}

}  // namespace rubric::data::rationale_set_test
