// The files that the MOCHA suite is given: which go together, what they hold, and their hashes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "eval/mocha/suite.h"

namespace rubric {

// Paths; "": not given.
struct MochaFiles {
  std::string data;
  std::string predictions, scores;  // one of the two
  std::string minimal_pairs;
  std::string pair_predictions,
      pair_scores;  // with minimal_pairs one of the two; pair_scores names
                    // metrics, as scores does, and goes with it alone
};

// Throws InputError, in the words of the command's options, when they do not go together.
void check_files(const MochaFiles& files);

// Every metric of the scored files, or those named in `metrics` and their order; a prediction file
// holds one, called "prediction". Pairs may be scored by some of them only. Throws InputError for a
// name that is unknown, for scored pairs of none of the metrics, and for pair
// predictions where there are several.
std::vector<MochaPredictions> read_metrics(const MochaFiles& files,
                                           const std::vector<std::string>& metrics);

// The instances of a file in MOCHA's nesting, or of one named .jsonl, .csv or .tsv with rows that
// tell their constituents. Throws InputError for a row that does not, and for an id that stands
// twice in a constituent. Of minimal pairs the same.
std::vector<Answer> read_mocha_instances(const std::filesystem::path& file);
std::vector<AnswerPair> read_mocha_minimal_pairs(const std::filesystem::path& file);

// "data:3f9a…|scores:…", each file that is given with its hash.
std::string signature_of(const MochaFiles& files);

}  // namespace rubric
