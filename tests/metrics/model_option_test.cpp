#include <gtest/gtest.h>

#include "messages.h"
#include "metrics/list.h"

namespace rubric::metrics::model_option_test {

void expect_read_as(const std::string& value, const std::string& metric, const std::string& model) {
  const ModelOption option = parse_model_option(value);
  EXPECT_EQ(option.metric, metric) << value;
  EXPECT_EQ(option.model, model) << value;
}

TEST(ModelOption, NamesAMetricOrNone) {
  expect_read_as("lerc=runs/a/model", "lerc", "runs/a/model");
  expect_read_as("runs/a/model", "", "runs/a/model");
  expect_read_as("bertscore=", "bertscore", "");
}

TEST(ModelOption, AnEqualsSignMayStandInAModelsName) {
  expect_read_as("run=3", "", "run=3");
  expect_read_as("lerc=run=3", "lerc", "run=3");
  expect_read_as("runs/seed=1/model", "", "runs/seed=1/model");
  expect_read_as("./f1=3", "", "./f1=3");
}

TEST(ModelOption, AMetricWithoutAModelIsTold) {
  for (const std::string value : {"f1=3", "token_f1=3"}) {
    EXPECT_EQ(input_error([&] { parse_model_option(value); }),
              error_lines("the metric f1 takes no model", "--model " + value,
                          "leave it out; a folder of this name is ./" + value));
  }
}

}  // namespace rubric::metrics::model_option_test
