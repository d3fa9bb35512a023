// Options made of a request's fields, and what they may not name.
#include "cli/shared/requests.h"

#include <gtest/gtest.h>

#include "cli/command.h"
#include "core/files/files.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::cli::requests_test {

struct Example {
  std::filesystem::path input, output, lines;
  std::vector<std::filesystem::path> others;
  std::vector<std::string> kinds;
  std::vector<std::string> names;
  std::optional<int64_t> rows;
  std::string explain, separator;
  bool resampled = false;

  void visit_fields(auto& field) {
    field("input", input, "rows").input().short_as('i');
    field("other", others, "more rows").input().names();
    field("kind", kinds, "rows by kind").named("KIND=FILE").input();
    field("name", names, "names").names();
    field("rows", rows, "rows to show").range(0, 9).of_records();
    field("explain", explain, "a row to show").named("ID").of_records();
    field("resampled", resampled, "each resample").only_in_json();
    field("separator", separator, "between texts").escaped().only_with("other");
    field("output", output, "what is made").or_stdout();
    field("lines", lines, "also made").output().json_lines();
  }
};

// What a call with these options is refused for, or "accepted"; the request that they make.
struct Requests : testing::Test {
  std::string said(const Arguments& arguments) {
    request_ = {};
    return input_error([&] {
      config::RequestFields fields, output_fields;
      ResultOutput output;
      request_.visit_fields(fields);
      output.visit_fields(output_fields);
      CommandSyntax syntax;
      add_options(fields, syntax);
      add_options(output_fields, syntax);
      const auto values = parse_options(syntax, arguments);
      set_given(*values, fields);
      set_given(*values, output_fields);
      config::check_written_files({&fields, &output_fields});
      check_output(*values, fields, output);
      fields.require_needed();
    });
  }
  std::string file(const std::string& name) { return folder_.write(name, "{}"); }

  TemporaryFolder folder_;
  Example request_;
};

TEST_F(Requests, OptionsSetFields) {
  EXPECT_EQ(said({"-i", "-", "--name", "a,b", "--name", "c", "--rows", "3"}), "accepted");
  EXPECT_EQ(request_.input, kStandardInput);
  EXPECT_EQ(request_.names, (std::vector<std::string>{"a", "b", "c"}));
  EXPECT_EQ(request_.rows, 3);
}

TEST_F(Requests, AnOptionThatDoesNothingWithoutAnotherIsRefused) {
  expect_contains(said({"--separator", "/"}),
                  "--separator is only valid with --other\n  where: command line\n  to do: add "
                  "--other, or leave");
  EXPECT_EQ(said({"--separator", "\\n", "--other", file("a.jsonl")}), "accepted");
  EXPECT_EQ(request_.separator, "\n");
}

TEST_F(Requests, RecordsArePrintedInNoOtherFormat) {
  expect_contains(said({"--format", "json", "--records", "rows"}),
                  "--records and --format are both given");
}

TEST_F(Requests, NoFileThatIsReadIsReplaced) {
  const std::string a = file("a.jsonl"), b = file("b.jsonl");
  const std::string link = folder_.file("link.jsonl");
  std::filesystem::create_symlink(b, link);
  const std::vector<Arguments> reads = {
      {"--input", b}, {"--other", a + "," + b}, {"--kind", "gold=" + b}, {"--input", link}};
  for (const Arguments& read : reads) {
    for (const char* const written : {"--output", "--summary", "--report"}) {
      Arguments arguments = read;
      arguments.insert(arguments.end(), {written, b});
      expect_contains(said(arguments), "this would replace");
    }
  }
  // A file whose name looks like a kind's.
  folder_.write("gold=b.jsonl", "{}");
  expect_contains(said({"--kind", "gold=" + b, "--output", b}), "this would replace");
  expect_contains(said({"--output", folder_.file("new"), "--summary", folder_.file("new")}),
                  "this would replace");
  EXPECT_EQ(said({"--input", a, "--output", folder_.file("new")}), "accepted");
}

TEST_F(Requests, StandardInputIsReadOnceAndNothingIsWrittenToADash) {
  expect_contains(said({"--input", "-", "--other", "-"}), "standard input is named twice");
  for (const char* const written : {"--lines", "--summary", "--report"}) {
    expect_contains(said({written, "-"}), "no name of a file");
  }
  EXPECT_EQ(said({"--output", "-"}), "accepted");
  EXPECT_EQ(request_.output, kStandardOutput);
  expect_contains(said({"--lines", folder_.file("rows.csv")}), "name it .jsonl");
}

TEST_F(Requests, WhatTheOutputHasNoPlaceForIsRefused) {
  for (const Arguments& asked : std::vector<Arguments>{{"--rows", "5"}, {"--explain", "0"}}) {
    Arguments csv = asked;
    csv.insert(csv.end(), {"--format", "csv"});
    expect_contains(said(csv), "without a place to show the rows");
    csv.insert(csv.end(), {"--summary", folder_.file("s.json")});
    EXPECT_EQ(said(csv), "accepted");
  }
  EXPECT_EQ(said({"--rows", "0", "--format", "csv"}), "accepted");
  expect_contains(said({"--resampled"}), "--resampled without JSON");
  EXPECT_EQ(said({"--resampled", "--format", "text,json"}), "accepted");
}

}  // namespace rubric::cli::requests_test
