#include "cli/evaluate/suites.h"

#include "core/files/files.h"
#include "judge/request.h"

namespace rubric::cli {

namespace po = boost::program_options;

void add_ledger_options(CommandSyntax& syntax, bool is_required) {
  const auto text = [](const char* name) { return po::value<std::string>()->value_name(name); };
  auto add = syntax.options.add_options();
  add("ledger", is_required ? text("FILE")->required() : text("FILE"), "the judge's replies");
  add("judge", text("MODEL"), "whose replies, where the ledger has several judges");
  add("prompt-hash", text("DIGITS"),
      "how the prompt's hash begins, where the ledger has several prompts");
  add("parameters", text("JSON"), "which parameters, where the ledger has several");
}

void add_parser_option(CommandSyntax& syntax) {
  syntax.options.add_options()(
      "parser", po::value<std::string>()->value_name("NAME"),
      "how replies are read: published, as the authors' code reads them, or strict, by aspect; "
      "without it judge takes published, and other commands the parser of each reply in the "
      "ledger");
}

JudgeChoice ledger_choice_option(const OptionValues& values) {
  return {.judge = text_option(values, "judge"),
          .prompt_hash = text_option(values, "prompt-hash"),
          .parameters = text_option(values, "parameters"),
          .parser = text_option(values, "parser")};
}

void write_result(const Result& result, const std::string& summary, const std::string& report,
                  const std::string& command, const Formats& formats) {
  if (!summary.empty()) write_file(summary, print(result, OutputFormat::json));
  if (!report.empty()) write_report(result, report, command);
  print_result(result, formats);
}

}  // namespace rubric::cli
