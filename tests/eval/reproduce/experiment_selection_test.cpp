#include <gtest/gtest.h>

#include "eval/reproduce/experiment_example.h"
#include "eval/reproduce/plan.h"
#include "messages.h"

namespace rubric::eval::experiment_selection_test {

struct SelectValue : testing::Test {
  void write(const std::string& rate, const std::string& seed, const std::string& results) {
    folder_.write("runs/train/set=a,rate=" + rate + ",seed=" + seed + "/results.json", results);
  }
  void write_all(const std::string& low1, const std::string& low2, const std::string& high1,
                 const std::string& high2) {
    const auto results = [](const std::string& value) {
      return "{\"best\": {\"value\": " + value + "}}";
    };
    write("1.0e-5", "1", results(low1));
    write("1.0e-5", "2", results(low2));
    write("2.0e-5", "1", results(high1));
    write("2.0e-5", "2", results(high2));
  }
  SelectedValue select(bool lowest = false) {
    std::string steps = kExampleSteps;
    if (lowest) steps = replaced(steps, "highest:", "lowest:");
    experiment_ = example(folder_, steps);
    return select_value(experiment_, experiment_.steps[0], {{"set", "a"}, {"seed", "2"}});
  }

  TemporaryFolder folder_;
  Experiment experiment_;
};

TEST_F(SelectValue, TheBestMeanOverTheSeeds) {
  write_all("0.9", "0.1", "0.6", "0.5");  // means .5 and .55
  const SelectedValue selected = select();
  EXPECT_EQ(selected.value, "2.0e-5");
  EXPECT_EQ(selected.bindings, (Bindings{{"set", "a"}}));
  ASSERT_EQ(selected.candidates.size(), 2u);
  EXPECT_DOUBLE_EQ(*selected.candidates[0].mean, 0.5);
  EXPECT_DOUBLE_EQ(*selected.candidates[1].mean, 0.55);
  EXPECT_EQ(select(true).value, "1.0e-5");
}

TEST_F(SelectValue, TheFirstOfEqualOnes) {
  write_all("0.5", "0.5", "0.25", "0.75");
  EXPECT_EQ(select().value, "1.0e-5");
  EXPECT_EQ(select(true).value, "1.0e-5");
}

TEST_F(SelectValue, AnUndefinedFigureIsNeverTheBest) {
  write_all("0.9", "null", "0.1", "0.1");
  EXPECT_EQ(select().value, "2.0e-5");
  write_all("null", "null", "null", "null");
  try {
    select();
    FAIL();
  } catch (const InputError&) {
    FAIL() << "not the user's";
  } catch (const Error& error) {
    expect_contains(error.what(), "no rate can be selected");
  }
}

TEST_F(SelectValue, APointerThatLeadsNowhereIsNamedWithItsStep) {
  write_all("0.1", "0.1", "0.1", "0.1");
  write("2.0e-5", "2", R"({"best": {"valve": 1}})");
  const std::string error = input_error([&] { select(); });
  expect_says(error, {"did you mean valve?", "experiment.yaml:9"});
}

}  // namespace rubric::eval::experiment_selection_test
