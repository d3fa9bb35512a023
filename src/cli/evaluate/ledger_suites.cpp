#include "cli/evaluate/ledger_suites.h"

#include <iostream>

#include "core/files/files.h"
#include "core/system/log.h"
#include "eval/report/report.h"
#include "judge/request.h"
#include "rubric/version.h"

namespace rubric::cli {

namespace po = boost::program_options;

void add_ledger_options(CommandSyntax& syntax) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = syntax.options.add_options();
  add("ledger", text("FILE")->required(), "the judge's replies");
  add("judge", text("MODEL"), "of a ledger of several judges: whose replies");
  add("prompt-hash", text("DIGITS"), "of a ledger of several prompts: how this one's hash begins");
  add("parameters", text("JSON"), "of a ledger of several parameters: which");
}

judge::LedgerChoice ledger_choice_option(const OptionValues& values) {
  const std::string parameters = text_option(values, "parameters");
  return {text_option(values, "judge"), text_option(values, "prompt-hash"),
          parameters.empty() ? "" : judge::judge_parameters(parameters, "--parameters")};
}

judge::Ledger read_chosen_ledger(const std::string& file, const judge::LedgerChoice& choice) {
  const bool chooses =
      !choice.judge.empty() || !choice.prompt_hash.empty() || !choice.parameters.empty();
  judge::Ledger ledger = chooses ? judge::read_ledger_of(file, choice) : judge::read_ledger(file);
  if (ledger.torn_bytes > 0) {
    log_warning(file + ": the last line is torn and left out (" +
                std::to_string(ledger.torn_bytes) + " bytes)");
  }
  return ledger;
}

void write_suite(SuiteOutput output, const std::string& summary, const std::string& report,
                 eval::OutputFormat format) {
  log_info(output.signature);
  output.json["signature"] = output.signature;
  if (!summary.empty()) write_file(summary, output.json.dump(2) + "\n");
  if (!report.empty()) {
    const eval::Report page{output.title,
                            {},
                            output.tables,
                            {},
                            {output.signature},
                            output.command,
                            {"rubric " + version_with_build()}};
    write_file(report, eval::to_html(page));
  }
  if (format == eval::OutputFormat::json) {
    std::cout << output.json.dump(2) << "\n";
  } else if (format == eval::OutputFormat::csv) {
    for (const std::string& note : output.notes) log_info(note);
    std::cout << eval::print_table(output.values, format);
  } else {
    std::cout << eval::print_tables(output.tables, format);
  }
}

}  // namespace rubric::cli
