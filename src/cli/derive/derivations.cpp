// rubric derive derivations: reads what a sequence model wrote.
#include "cli/derive/derivations.h"

#include <algorithm>

#include "cli/derive/write_predictions.h"
#include "cli/shared/options.h"
#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"

namespace rubric::cli {
namespace po = boost::program_options;

CommandSyntax derivations_syntax() {
  CommandSyntax syntax;
  syntax.usage =
      "usage: rubric derive derivations --input FILE --output FILE [--text FIELD]\n\n"
      "Derivations as a prediction file for `rubric evaluate r4c`, from the texts that a sequence\n"
      "model wrote: TITLE | SENTENCE | HEAD | RELATION | TAIL ; … A malformed text is a "
      "derivation\n"
      "without steps, and counted.";
  const auto file = [] { return po::value<std::string>()->value_name("FILE")->required(); };
  syntax.options.add_options()("input,i", file(), "rows with id and a text")(
      "text", po::value<std::string>()->default_value("text")->value_name("FIELD"),
      "the field that holds the text")("output,o", file(), "the predictions");
  add_input_format_option(syntax);
  syntax.inputs = {"input"};
  syntax.outputs = {"output"};
  return syntax;
}

int run_derive_derivations(const Arguments& arguments) {
  const std::optional<OptionValues> values = parse_options(derivations_syntax(), arguments);
  if (!values) return kDone;
  const std::string input = file_option(*values, "input");
  const std::string output = output_option(*values, "output");
  check_replaces_none("output", output, {input});
  const data::DerivationPredictions predictions = data::text_predictions(
      input, row_format_option(*values, input), text_option(*values, "text"));
  if (!predictions.malformed.empty()) {
    std::vector<std::string> ids = predictions.malformed;
    std::ranges::transform(ids, ids.begin(), [](const std::string& id) { return json_quote(id); });
    log_warning(std::to_string(ids.size()) + " of " + std::to_string(predictions.questions) +
                " texts are malformed and become derivations without steps: " + join_some(ids));
  }
  write_predictions(predictions, output);
  return kDone;
}

}  // namespace rubric::cli
