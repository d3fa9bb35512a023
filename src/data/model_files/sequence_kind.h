// What is known of a kind of sequence model without opening one. No libtorch: data reads which
// tokens its texts need.
#pragma once

#include <span>
#include <string_view>

namespace rubric::data {

struct SequenceKind {
  std::string_view name;                           // model_type of config.json
  std::span<const std::string_view> aliases = {};  // other model_types that are read alike
  std::string_view summary;                        // one line, with the source
  const char* positions = nullptr;                 // config.json's key of their number; null: none
  bool is_causal = false;                          // reads source and target as one sequence
  bool starts_with_bos = false;                    // may force bos and eos in texts it writes
};

}  // namespace rubric::data

namespace rubric::models {

class ConfigFields;           // models/config_fields.h
struct SequenceModelFactory;  // models/sequence_model.h

// The neural half of a kind: reads and checks config.json. Each kind declares its own beside its
// descriptor and defines it in models; where one is missing, linking fails.
template <const data::SequenceKind& kind>
SequenceModelFactory read_sequence_model(ConfigFields& fields);

}  // namespace rubric::models
