// Every kind of sequence model. No libtorch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/list.h"
#include "data/model_files/bart_kind.h"
#include "data/model_files/gpt2_kind.h"
#include "data/model_files/sequence_kind.h"
#include "data/model_files/t5_kind.h"

namespace rubric::data {

// A new kind is a line here, and files of its own.
inline constexpr const SequenceKind* kSequenceKinds[] = {
    &kT5,
    &kBart,
    &kGpt2,
};
static_assert(are_told_apart(kSequenceKinds));

// The model_types that sequence models are known by, aliases too, in the order of the list.
std::vector<std::string> sequence_types();

// The kind whose model_type or alias is `model_type`. Throws InputError naming `where` and all
// types.
const SequenceKind& require_sequence_kind(std::string_view model_type, const std::string& where);

}  // namespace rubric::data
