// The rows of tests/fixtures/seq2seq and decoders, packed.
#pragma once

#include <vector>

#include "models/fixture.h"
#include "models/sequence_model.h"

namespace rubric {

struct Seq2SeqFixture {
  std::map<std::string, at::Tensor> expected;
  data::TokenPairs pairs;
};

inline void append_row(data::TokenBatch& rows, const std::vector<int64_t>& ids) {
  rows.ids.insert(rows.ids.end(), ids.begin(), ids.end());
  rows.offsets.push_back(static_cast<int64_t>(rows.ids.size()));
}

// The numbers of a row that are not `padding`.
inline std::vector<int64_t> row_ids(const at::Tensor& row, int64_t size) {
  const at::Tensor part = row.narrow(0, 0, size).contiguous();
  return {part.const_data_ptr<int64_t>(), part.const_data_ptr<int64_t>() + size};
}

// The decoders of make_decoders.py, by their folders in tests/fixtures.
inline const std::vector<std::string> kDecoders = {
    "decoders/llama",         "decoders/llama_smollm2", "decoders/llama_biases",
    "decoders/llama_dynamic", "decoders/llama_yarn",    "decoders/llama3",
    "decoders/mistral",       "decoders/qwen2",         "decoders/qwen3",
    "decoders/phi3",          "decoders/phi3_longrope", "decoders/gemma3"};

// The folder of a model of seq2seq/ or of another folder, "decoders/llama".
inline std::string sequence_folder(const std::string& name) {
  return name.find('/') == std::string::npos ? "seq2seq/" + name : name;
}

inline Seq2SeqFixture seq2seq_fixture(const std::string& name) {
  Seq2SeqFixture fixture;
  fixture.expected = fixture_tensors(sequence_folder(name) + "/expected.safetensors");
  const auto& expected = fixture.expected;
  const bool is_causal = name.starts_with("gpt2") || name.starts_with("decoders/");
  const at::Tensor target_lengths = expected.at("target_ids").ge(0).sum(1);
  const at::Tensor source_lengths = expected.at("source_mask").sum(1);
  for (int64_t row = 0; row < source_lengths.size(0); ++row) {
    const int64_t length = target_lengths[row].item<int64_t>();
    std::vector<int64_t> source =
        row_ids(expected.at("source_ids")[row], source_lengths[row].item<int64_t>());
    const std::vector<int64_t> target = row_ids(expected.at("target_ids")[row], length);
    std::vector<int64_t> inputs;
    if (is_causal) {  // the last token of the source predicts the first of the target
      inputs = {source.back()};
      source.pop_back();
      inputs.insert(inputs.end(), target.begin(), target.end() - 1);
    } else {
      inputs = row_ids(expected.at("decoder_input_ids")[row], length);
    }
    append_row(fixture.pairs.sources, source);
    append_row(fixture.pairs.decoder_inputs, inputs);
    fixture.pairs.targets.insert(fixture.pairs.targets.end(), target.begin(), target.end());
  }
  return fixture;
}

// The packed rows of a padded reference tensor [rows, T, …].
inline at::Tensor packed_rows(const at::Tensor& padded, const std::vector<int64_t>& offsets) {
  std::vector<at::Tensor> rows;
  for (int64_t row = 0; row < padded.size(0); ++row) {
    const auto i = static_cast<size_t>(row);
    rows.push_back(padded[row].narrow(0, 0, offsets[i + 1] - offsets[i]));
  }
  return at::cat(rows);
}

}  // namespace rubric
