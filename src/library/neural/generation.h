// Generating texts for the rows of a file, or choosing among texts that the rows hold, on one
// process or on several that share the work.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "core/json/json.h"
#include "data/rows/input_format.h"
#include "data/source_targets/source_target.h"
#include "distributed/ranks.h"
#include "models/generation/generate.h"

namespace rubric::library {

struct GenerationRequest {
  std::filesystem::path input, output;
  data::InputFormat format;       // of the input
  int64_t limit = 0;              // uses the first rows; 0: all
  std::filesystem::path model;    // a model directory
  data::PairConfig config;        // of the model's card, or as the caller changed it
  data::PairTexts texts{config};  // how rows become sources
  std::string field = "generated";
  std::string candidates;              // the field of the texts to choose from; "": generate
  models::GenerationOptions decoding;  // of generated texts
  int64_t batch = 32;                  // rows that are computed together
  // An object of strings: what else the rows depend on, as the caller was asked for it. An output
  // that was begun with other values is not resumed.
  Json options = Json::Object();
};

// The longest text that a model writes if nobody says otherwise, in tokens: what it was trained to
// write, else 128, limited by its positions, which in a causal model include the source.
int64_t usual_text_length(const std::filesystem::path& model);

// Adds `field` to every row of the input: the text that the model writes for its source, or the
// most probable of its candidates, with their mean log-probabilities as "<field>_likelihoods".
// Writes rows as they are done, on rank 0, and resumes what an earlier call left. Collective.
// Throws InputError before anything is written: for a row that already has the field, that cannot
// be read, and for an unfinished output of another request; Interrupted when a stop is requested.
void generate_rows(const distributed::Ranks& ranks, const GenerationRequest& request);

}  // namespace rubric::library
