#include "cli/shared/options.h"

#include <boost/program_options/value_semantic.hpp>
#include <gtest/gtest.h>

#include "cli/list.h"
#include "cli/shared/requests.h"
#include "core/context.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "core/system/terminal.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::cli {
namespace {

namespace po = boost::program_options;
using Paths = std::vector<std::filesystem::path>;

CommandSyntax example() {
  CommandSyntax syntax;
  syntax.usage = "usage: rubric example";
  syntax.options.add_options()("data", po::value<std::string>()->required(), "a file")(
      "number", po::value<std::string>()->default_value("3"), "a number")(
      "name", po::value<std::vector<std::string>>(), "names");
  return syntax;
}

std::string error_of(const std::vector<std::string>& arguments) {
  return input_error([&] { parse_options(example(), arguments); });
}

// The value of --format.
std::vector<OutputFormat> formats(const std::string& list) {
  ResultOutput output;
  config::RequestFields fields;
  output.visit_fields(fields);
  CommandSyntax syntax;
  add_options(fields, syntax);
  set_given(*parse_options(syntax, {"--format", list}), fields);
  return output.formats;
}

TEST(Options, GiveValuesAndDefaults) {
  const auto values = parse_options(example(), {"--data=x.json"});
  EXPECT_EQ(text_option(*values, "data"), "x.json");
  EXPECT_EQ(text_option(*values, "number"), "3");
  EXPECT_EQ(text_option(*values, "absent"), "");
  EXPECT_TRUE(list_option(*values, "name").empty());
  const auto named = parse_options(example(), {"--data", "x", "--name", "b", "--name", "a"});
  EXPECT_EQ(list_option(*named, "name"), (std::vector<std::string>{"b", "a"}));
}

TEST(Options, AreGivenAsTextsWithoutChecks) {
  CommandSyntax syntax = example();
  syntax.positional.add("name", -1);
  const auto texts = given_texts(syntax, {"a", "--number", "<n>", "--quiet", "b", "-q"});
  EXPECT_EQ(texts.at("name"), (std::vector<std::string>{"a", "b"}));
  EXPECT_EQ(texts.at("number"), (std::vector<std::string>{"<n>"}));
  EXPECT_FALSE(texts.contains("data"));
}

TEST(Options, ThreadsAreTheProgramsToo) {
  const struct Restored {
    Context before = current_context();
    ~Restored() { set_program_context(before); }
  } restored;
  for (const size_t threads : {3, 0}) {
    take_threads(static_cast<int64_t>(threads));
    EXPECT_EQ(current_context().threads, threads);
  }
}

TEST(Options, SeveralFormatsAreNamedOnceEach) {
  EXPECT_EQ(formats("latex"), std::vector{OutputFormat::latex});
  EXPECT_EQ(formats("text,json"), (std::vector{OutputFormat::text, OutputFormat::json}));
  expect_contains(input_error([] { formats("jsno"); }), "did you mean json?");
  expect_contains(input_error([] { formats("text,json,text"); }), "text is named twice");
}

TEST(Options, UnknownOptionNamesTheNearest) {
  expect_says(error_of({"--dat", "x"}), {"there is no option --dat\n", "did you mean --data?"});
  expect_contains(error_of({"--data", "x", "--nmae=csv"}), "did you mean --name?");
  expect_contains(error_of({"--zzzzzzzz"}), "--help lists the options");
  expect_contains(error_of({"-z"}), "there is no option");
}

// What the command reads from a configuration, and what another command has.
TEST(Options, UnknownOptionsNameTheKeyAndTheCommandsThatHaveThem) {
  const auto error = [](const Command& command, const std::vector<std::string>& arguments) {
    return input_error([&] { parse_options(syntax_of(command), arguments); });
  };
  expect_contains(error(kTrain, {"--threads", "2"}), "write --set threads=2");
  expect_contains(error(kTrain, {"--learning-rate=1e-5"}),
                  "write --set optimizer.learning_rate=1e-5");
  expect_contains(error(kTrain, {"--epochs"}), "write --set run.epochs=VALUE");
  expect_contains(error(kTrain, {"--batch-size", "8"}), "write --set batches.size=8");
  expect_contains(error(kTrain, {"--outptu", "x"}), "did you mean --output?");
  expect_contains(error(kTrain, {"--beams", "3"}), "it is an option of rubric generate");
  expect_contains(error(kCompare, {"--strata", "x"}),
                  "it is an option of rubric estimate, rubric plan");
  // No command is without advice.
  for (const Command* const command : kCommands) {
    for (const Command* const subcommand : command->subcommands) {
      expect_contains(error(*subcommand, {"--decoder-start", "x"}), "rubric generate");
    }
    if (!command->subcommands.empty() || command == &kGenerate) continue;
    expect_contains(error(*command, {"--beams", "x"}), "rubric generate");
  }
}

TEST(Options, OtherMistakesAreInputErrors) {
  expect_contains(error_of({}), "--data");
  expect_contains(error_of({"--data"}), "--data");
  expect_contains(error_of({"--data", "x", "--data", "y"}), "more than once");
  expect_contains(error_of({"--data", "x", "y"}), "too many arguments");
  EXPECT_EQ(error_of({"--data", "x"}), "accepted");
}

TEST(Options, OneArgumentTooManyIsHelpedByWhatTheCommandTakes) {
  const auto said = [](const CommandSyntax& syntax) {
    return input_error([&] { parse_options(syntax, {"x"}); });
  };
  CommandSyntax syntax;
  expect_contains(said(syntax), "write option values after their option");
  syntax.options.add_options()("input", "");
  expect_contains(said(syntax), "write --input before the name of a file");
  syntax.options.add_options()("config", "");
  expect_contains(said(syntax), "write --config before the configuration's name");
  syntax.metrics = "metric";
  expect_contains(said(syntax), "separate metrics by commas");
}

TEST(Options, NamesAreSplitAtCommas) {
  EXPECT_EQ(split_names("f1"), std::vector<std::string>{"f1"});
  EXPECT_EQ(split_names(" f1 , em"), (std::vector<std::string>{"f1", "em"}));
  for (const char* list : {"", "f1,", ",f1", "f1, ,em"}) {
    EXPECT_EQ(input_error([&] { split_names(list); }),
              error_lines("a name in \"" + std::string(list) + "\" is empty", "command line",
                          "write names with one comma between two: f1,em"));
  }
}

TEST(Options, HelpPrintsEvenWhenOptionsAreMissing) {
  testing::internal::CaptureStdout();
  EXPECT_FALSE(parse_options(example(), {"--help"}));
  const std::string help = testing::internal::GetCapturedStdout();
  expect_says(help, {"usage: rubric example", "--data", "--quiet"});
}

TEST(Options, VersionIsPrintedInsteadOfTheWork) {
  testing::internal::CaptureStdout();
  EXPECT_FALSE(parse_options(example(), {"--version"}));
  expect_contains(testing::internal::GetCapturedStdout(), "rubric ");
}

TEST(Options, AFolderThatCannotBeLookedIntoIsNotCalledMissing) {
  const TemporaryFolder folder;
  std::filesystem::create_symlink("loop", folder.file("loop"));  // closed to root, too
  const auto problem = [&](const std::string& file) {
    return input_error([&] { require_writable(file, "--data " + file); });
  };
  const std::string closed = folder.file("loop/x.json"), absent = folder.file("absent/x.json");
  EXPECT_EQ(problem(closed), error_lines("cannot write there: Too many levels of symbolic links",
                                         "--data " + closed, "choose another folder"));
  expect_contains(problem(absent), "mkdir -p " + folder.file("absent"));
  EXPECT_EQ(problem(folder.file("x.json")), "accepted");
}

TEST(Options, OneFileByTwoNamesIsFound) {
  const TemporaryFolder folder;
  const std::string file = folder.write("a", "");
  std::filesystem::create_symlink(file, folder.file("link"));
  EXPECT_TRUE(is_same_file(file, folder.file("link")));
  EXPECT_TRUE(is_same_file(folder.file("new"), folder.file("./new")));
  EXPECT_FALSE(is_same_file(file, folder.file("b")));
  EXPECT_FALSE(is_same_file("/dev/null", "/dev/null"));
  expect_contains(input_error([&] {
                    require_replaces_none(file, Paths{"", "b", file}, "--out");
                  }),
                  "would replace " + file);
  EXPECT_EQ(input_error([&] { require_replaces_none("", Paths{"", file}, "--out"); }), "accepted");
}

TEST(Options, NamesAreListedOrRepeated) {
  const auto values = parse_options(example(), {"--data", "x", "--name", "b, a", "--name", "c"});
  EXPECT_EQ(names_option(*values, "name"), (std::vector<std::string>{"b", "a", "c"}));
  EXPECT_TRUE(names_option(*parse_options(example(), {"--data", "x"}), "name").empty());
}

TEST(Options, WhatIsPositionalIsNotListed) {
  CommandSyntax syntax = example();
  syntax.positional.add("data", 1).add("name", -1);
  testing::internal::CaptureStdout();
  parse_options(syntax, {"--help"});
  const std::string help = testing::internal::GetCapturedStdout();
  EXPECT_FALSE(holds(help, "--data") || holds(help, "--name")) << help;
  expect_contains(input_error([&] { parse_options(syntax, {}); }), "the data is missing");
  EXPECT_EQ(text_option(*parse_options(syntax, {"--data", "x"}), "data"), "x");
}

TEST(Options, QuietTakesEffect) {
  set_quiet(false);
  parse_options(example(), {"--data", "x", "--quiet"});
  EXPECT_TRUE(is_quiet());
  set_quiet(false);
}

}  // namespace
}  // namespace rubric::cli
