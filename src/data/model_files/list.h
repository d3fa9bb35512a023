// Every kind of sequence model. No libtorch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json/json.h"
#include "core/list.h"
#include "data/model_files/bart_kind.h"
#include "data/model_files/gpt2_kind.h"
#include "data/model_files/llama_kind.h"
#include "data/model_files/sequence_kind.h"
#include "data/model_files/t5_kind.h"

namespace rubric::data {

// A new kind is a line here, and files of its own.
// clang-format off
inline constexpr const SequenceKind* kSequenceKinds[] = {
    &kT5,
    &kBart,
    &kGpt2,
    &kLlama,
    &kMistral,
    &kQwen2,
    &kQwen3,
    &kPhi3,
    &kGemma3,
};
// clang-format on
static_assert(have_unique_names(kSequenceKinds));

// The model_types that sequence models are known by, aliases too, in the order of the list.
inline std::vector<std::string> sequence_types() {
  return names_and_aliases_of<SequenceKind>(kSequenceKinds);
}

// The kind whose model_type or alias is `model_type`. Throws InputError naming `where` and all
// types.
inline const SequenceKind& require_sequence_kind(std::string_view model_type,
                                                 const std::string& where) {
  if (const auto* const kind = find<SequenceKind>(kSequenceKinds, model_type)) return *kind;
  std::vector<std::string> known;
  for (const std::string& type : sequence_types()) known.push_back(json_quote(type));
  throw InputError(
      "the model is a " + json_quote(model_type) + ", which is not one of the supported models",
      where, "use one of " + join(known));
}

}  // namespace rubric::data
