// The models of tests/fixtures/make_seq2seq.py, opened to decode.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/model_files/model_tokens.h"
#include "data/tokens/batches.h"
#include "models/seq2seq_fixture.h"
#include "models/sequence_model.h"

namespace rubric {

struct Opened {
  std::unique_ptr<models::SequenceModel> model;
  data::ModelTokens tokens;
};

inline Opened open_fixture(const std::string& name) {
  const std::filesystem::path directory = fixture(sequence_folder(name));
  return {models::load_sequence_model(directory), data::read_model_tokens(directory)};
}

// Sources with the token to start with.
inline data::TokenPairs starts_of(const data::ModelTokens& tokens,
                                  const std::vector<std::vector<int64_t>>& sources) {
  data::TokenPairs starts;
  for (std::vector<int64_t> source : sources) {
    int64_t start = source.back();
    if (tokens.is_causal) {
      source.pop_back();
    } else {
      start = tokens.decoder_start.value();
    }
    append_row(starts.sources, source);
    append_row(starts.decoder_inputs, {start});
  }
  return starts;
}

inline std::vector<int64_t> ids(const Json& list) {
  std::vector<int64_t> values;
  for (const Json& value : list.array()) values.push_back(static_cast<int64_t>(value.number()));
  return values;
}

inline std::vector<int64_t> numbers_to(int64_t count) {
  std::vector<int64_t> numbers;
  for (int64_t i = 0; i < count; ++i) numbers.push_back(i);
  return numbers;
}

}  // namespace rubric
