#include "config/fields.h"

#include "config/example_config.h"

namespace rubric::config::fields_test {

// Lists what it is shown.
class Lister : public FieldVisitor {
 public:
  void field(const char* name, bool&, const char* comment) override { add(name, comment); }
  void field(const char* name, int64_t&, const char* comment, Range<int64_t> range) override {
    add(name, comment + (" (" + range_text(range) + ")"));
  }
  void field(const char* name, double&, const char* comment, Range<double> range) override {
    add(name, comment + (" (" + range_text(range) + ")"));
  }
  void field(const char* name, std::optional<double>&, const char* comment) override {
    add(name, comment);
  }
  void field(const char* name, std::string&, const char* comment,
             const std::vector<std::string>& choices) override {
    add(name, comment + (" (" + join(choices) + ")"));
  }
  void field(const char* name, std::vector<std::string>&, const char* comment) override {
    add(name, comment);
  }
  std::string text;

 private:
  void enter(const char* name, const char* comment) override {
    add(name, comment + std::string(" {"));
  }
  void leave() override { text += "}\n"; }
  void add(const std::string& name, const std::string& comment) {
    text += name + ": " + comment + "\n";
  }
};

TEST(Fields, AreVisitedInOrderWithTheirBounds) {
  Lister lister;
  ExampleConfig().visit_fields(lister);
  EXPECT_EQ(lister.text,
            "name: of the run ()\n"
            "seed: of all random numbers (at least 0)\n"
            "train: how it trains {\n"
            "epochs: passes over the training data (from 1 to 1000)\n"
            "learning_rate: peak step size ()\n"
            "precision: of matrix products (float32, bfloat16)\n"
            "shuffle: new order each epoch\n"
            "decay: weight decay {\n"
            "rate: pull towards zero a step (from 0 to 1)\n"
            "}\n"
            "}\n"
            "data: what it trains on {\n"
            "train: training file ()\n"
            "hold_out: constituents left out | never trained on\n"
            "}\n");
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
