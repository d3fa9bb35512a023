// The fields that `derive rationales` and `describe` share for data sets of rationales.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "data/rationales/readers.h"

namespace rubric::cli {

struct RationaleSourceRequest {
  std::string kind;                        // the data set
  std::vector<std::string> files;          // of one split, or with the splits' names: NAME=FILE
  std::vector<std::string> questions;      // their files, of a data set that lacks them
  std::optional<std::string> explanation;  // "1" (the default), "2", "3" or "all"
  std::optional<double> sample;            // a share, above 0 and below 1, that is drawn
  std::optional<uint64_t> seed;            // of the draw

  void visit_fields(auto& field) {
    field("data-set", kind, "the data set").positional().required();
    field("files", files, "its files").named("FILE").input().positional();
    field("questions", questions, questions_help()).named("FILE").input();
    field("explanation", explanation, explanation_help())
        .named("N")
        .choices({"1", "2", "3", "all"});
    field("sample", sample, "draw this share of the first split's examples, rounded down")
        .named("SHARE");
    field("seed", seed, "with --sample: another seed, another sample");
  }

 private:
  static std::string questions_help();
  static std::string explanation_help();
};

// The data set to read, with the files of one split. Throws InputError for no file, and a field of
// another kind of data set.
data::RationaleSource rationale_source(const RationaleSourceRequest& request);

// Throws InputError for a share outside (0, 1), and for a seed, or the field `rest` that is given,
// without a share.
void check_sample(const RationaleSourceRequest& request, const std::string& rest, bool has_rest);

}  // namespace rubric::cli
