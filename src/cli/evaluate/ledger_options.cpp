#include "cli/evaluate/ledger_options.h"

#include "core/system/log.h"
#include "judge/request.h"

namespace rubric {

namespace po = boost::program_options;

void add_ledger_options(CommandSyntax& syntax) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = syntax.options.add_options();
  add("ledger", text("FILE")->required(), "the judge's replies");
  add("judge", text("MODEL"), "of a ledger of several judges: whose replies");
  add("prompt-hash", text("DIGITS"), "of a ledger of several prompts: how this one's hash begins");
  add("parameters", text("JSON"), "of a ledger of several parameters: which");
}

LedgerChoice ledger_choice_option(const OptionValues& values) {
  const std::string parameters = text_option(values, "parameters");
  return {text_option(values, "judge"), text_option(values, "prompt-hash"),
          parameters.empty() ? "" : judge_parameters(parameters, "--parameters")};
}

Ledger read_chosen_ledger(const std::string& file, const LedgerChoice& choice) {
  const bool chooses =
      !choice.judge.empty() || !choice.prompt_hash.empty() || !choice.parameters.empty();
  Ledger ledger = chooses ? read_ledger_of(file, choice) : read_ledger(file);
  if (ledger.torn_bytes > 0) {
    log_warning(file + ": the last line is torn and left out (" +
                std::to_string(ledger.torn_bytes) + " bytes)");
  }
  return ledger;
}

}  // namespace rubric
