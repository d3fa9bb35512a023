#include "config/fields.h"

#include "config/example_config.h"

namespace rubric::config::fields_test {

TEST(Fields, AreListedInOrderWithTheirBounds) {
  ExampleConfig config;
  std::string text;
  for (const Field& field : fields_of(config)) {
    text += field.key + (field.is_group() ? " {}: " : ": ") + field.comment + " (" +
            join(field.choices) + range_text(field.whole) + range_text(field.real) + ")\n";
  }
  EXPECT_EQ(text,
            "name: of the run ()\n"
            "seed: of all random numbers (at least 0)\n"
            "train {}: how it trains ()\n"
            "train.epochs: passes over the training data (from 1 to 1000)\n"
            "train.learning_rate: peak step size ()\n"
            "train.precision: of matrix products (float32, bfloat16)\n"
            "train.shuffle: new order each epoch ()\n"
            "train.decay {}: weight decay ()\n"
            "train.decay.rate: pull towards zero a step (from 0 to 1)\n"
            "data {}: what it trains on ()\n"
            "data.train: training file ()\n"
            "data.hold_out: constituents left out | never trained on ()\n");
}

TEST(Fields, RangesIncludeTheirEnds) {
  const Range<int64_t> range{1, 3};
  EXPECT_FALSE(range.contains(0));
  EXPECT_TRUE(range.contains(1));
  EXPECT_TRUE(range.contains(3));
  EXPECT_FALSE(range.contains(4));
  EXPECT_TRUE(Range<int64_t>().contains(std::numeric_limits<int64_t>::min()));
  EXPECT_TRUE(Range<double>().contains(-1e308));
  EXPECT_EQ(range_text(Range<double>{.most = 0.5}), "at most 0.5");
}

TEST(Fields, NumbersAreShortAndCarryAPoint) {
  EXPECT_EQ(number_text(0.1), "0.1");
  EXPECT_EQ(number_text(3), "3");
  EXPECT_EQ(number_text(2e-5), "2.0e-05");
  EXPECT_EQ(number_text(1.5e300), "1.5e+300");
  EXPECT_EQ(number_text(-0.0), "-0");
}

}  // namespace rubric::config::fields_test
