#include "cli/options.h"

#include <boost/program_options/value_semantic.hpp>
#include <gtest/gtest.h>

#include "core/log.h"

namespace rubric {
namespace {

namespace po = boost::program_options;

CommandSyntax example() {
  CommandSyntax syntax;
  syntax.usage = "usage: rubric example";
  syntax.options.add_options()("data", po::value<std::string>()->required(), "a file")(
      "number", po::value<int64_t>()->default_value(3), "a number");
  add_format_option(syntax);
  return syntax;
}

std::string error_of(const std::vector<std::string>& arguments) {
  try {
    const auto values = parse_options(example(), arguments);
    format_option(*values);
    integer_option(*values, "number", 0, 10);
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}

bool holds(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

TEST(Options, GiveValuesAndDefaults) {
  const auto values = parse_options(example(), {"--data", "x.json", "--format=csv"});
  EXPECT_EQ(text_option(*values, "data"), "x.json");
  EXPECT_EQ(integer_option(*values, "number", 0, 10), 3);
  EXPECT_EQ(format_option(*values), OutputFormat::csv);
  EXPECT_EQ(text_option(*values, "absent"), "");
}

TEST(Options, EveryFormatIsFound) {
  const std::pair<const char*, OutputFormat> formats[] = {{"text", OutputFormat::text},
                                                          {"json", OutputFormat::json},
                                                          {"markdown", OutputFormat::markdown},
                                                          {"csv", OutputFormat::csv},
                                                          {"latex", OutputFormat::latex}};
  for (const auto& [name, format] : formats) {
    EXPECT_EQ(format_option(*parse_options(example(), {"--data", "x", "--format", name})), format);
  }
}

TEST(Options, UnknownOptionNamesTheNearest) {
  EXPECT_TRUE(holds(error_of({"--dat", "x"}), "there is no option --dat\n"));
  EXPECT_TRUE(holds(error_of({"--dat", "x"}), "did you mean --data?"));
  EXPECT_TRUE(holds(error_of({"--data", "x", "--fromat=csv"}), "did you mean --format?"));
  EXPECT_TRUE(holds(error_of({"--zzzzzzzz"}), "--help lists the options"));
  EXPECT_TRUE(holds(error_of({"-z"}), "there is no option"));
}

TEST(Options, OtherMistakesAreInputErrors) {
  EXPECT_TRUE(holds(error_of({}), "--data"));
  EXPECT_TRUE(holds(error_of({"--data"}), "--data"));
  EXPECT_TRUE(holds(error_of({"--data", "x", "--data", "y"}), "more than once"));
  EXPECT_TRUE(holds(error_of({"--data", "x", "y"}), "too many arguments"));
  EXPECT_TRUE(holds(error_of({"--data", "x", "--number", "many"}), "many"));
  EXPECT_TRUE(holds(error_of({"--data", "x", "--number", "11"}), "from 0 to 10"));
  EXPECT_TRUE(holds(error_of({"--data", "x", "--format", "jsno"}), "did you mean json?"));
  EXPECT_EQ(error_of({"--data", "x"}), "");
}

TEST(Options, HelpPrintsEvenWhenOptionsAreMissing) {
  testing::internal::CaptureStdout();
  EXPECT_FALSE(parse_options(example(), {"--help"}));
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_TRUE(holds(help, "usage: rubric example"));
  EXPECT_TRUE(holds(help, "--data"));
  EXPECT_TRUE(holds(help, "--quiet"));
}

TEST(Options, QuietTakesEffect) {
  set_quiet(false);
  parse_options(example(), {"--data", "x", "--quiet"});
  EXPECT_TRUE(is_quiet());
  set_quiet(false);
}

}  // namespace
}  // namespace rubric
