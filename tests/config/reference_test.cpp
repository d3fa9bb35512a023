#include "config/example_config.h"
#include "config/printer.h"

namespace rubric::config {
namespace {

TEST(Reference, ListsEveryKey) {
  const std::string header =
      "| Key | Type | Default | Allowed | Meaning |\n|---|---|---|---|---|\n";
  EXPECT_EQ(
      config_reference(ExampleConfig(), "Example"),
      "## Example\n\n" + header +
          "| `name` | string | `example` |  | of the run |\n"
          "| `seed` | integer | `0` | at least 0 | of all random numbers |\n\n"
          "### `train`\n\nhow it trains\n\n" +
          header +
          "| `train.epochs` | integer | `3` | from 1 to 1000 | passes over the training data "
          "|\n"
          "| `train.learning_rate` | number | `2.0e-05` |  | peak step size |\n"
          "| `train.precision` | string | `float32` | `float32`, `bfloat16` | of matrix "
          "products |\n"
          "| `train.shuffle` | boolean | `true` | `true`, `false` | new order each epoch |\n\n"
          "### `train.decay`\n\nweight decay\n\n" +
          header +
          "| `train.decay.rate` | number | `0.01` | from 0 to 1 | pull towards zero a step "
          "|\n\n"
          "### `data`\n\nwhat it trains on\n\n" +
          header +
          "| `data.train` | string | `\"\"` |  | training file |\n"
          "| `data.hold_out` | list of strings | `[drop]` |  | constituents left out \\| never "
          "trained on |\n\n");
}

TEST(Reference, KeepsFieldsOfOneGroupTogether) {
  struct Config {  // a field after a group
    ExampleDecay decay;
    bool last = false;
    void visit_fields(FieldVisitor& visitor) {
      visitor.group("decay", decay, "first");
      visitor.field("last", last, "comes last");
    }
  };
  const std::string page = config_reference(Config(), "T");
  EXPECT_LT(page.find("`last`"), page.find("### `decay`"));
}

}  // namespace
}  // namespace rubric::config
