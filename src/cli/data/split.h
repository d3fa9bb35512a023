// rubric split: parts of rows to train, tune and test on.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "cli/command.h"
#include "rubric/missing.h"
#include "rubric/row_format.h"

namespace rubric::cli {

struct SplitRequest {
  static constexpr std::array<std::string_view, 0> kRecords = {};

  std::vector<std::filesystem::path> inputs;
  std::filesystem::path output;
  std::string shares = "train=0.7,dev=0.1,test=0.2";
  std::string by = "question";
  uint64_t seed = 0;
  std::string at_most;     // "train=1000,dev=100"; "": all
  std::string file_field;  // "": none
  RowFormat row_format;
  Missing missing = Missing::automatic;
  std::string reference_separator;  // "": none

  void visit_fields(auto& field) {
    field("input", inputs, "rows to split; may be repeated").input().short_as('i').required();
    field("output", output, "the folder to make").folder().short_as('o').required();
    field("shares", shares, "the parts, and about which share of the questions each gets")
        .named("LIST");
    field("by", by,
          "rows with the same text in this field stay together: question, passage, or any other "
          "field")
        .named("FIELD");
    field("seed", seed, "another seed, another split");
    field("at-most", at_most, "the most questions that a part keeps: train=1000,dev=100")
        .named("LIST");
    field("file-field", file_field, "a new field of the rows: the file that they come from");
    row_format.visit_fields(field);
    visit_missing(field, missing);
    visit_reference_separator(field, reference_separator);
  }
};
Result split_rows(const SplitRequest& request, const Context& context);

inline constexpr Command kSplit = {.name = "split",
                                   .summary = "splits rows into parts to train, tune and test on",
                                   .make_call = config::make_call<SplitRequest, split_rows>,
                                   .is_step = true,
                                   .has_link = true};

}  // namespace rubric::cli
