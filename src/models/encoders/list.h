// Every kind of encoder. No libtorch.
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "models/encoders/bert_kind.h"
#include "models/encoders/kind.h"

namespace rubric::models {

// A new kind is a line here, and files of its own.
inline constexpr const EncoderKind* kEncoders[] = {
    &kBert,
    &kRoberta,
};

// Whether no model_type, alias or name is there twice, and each kind says what it is.
constexpr bool are_encoders_told_apart(std::span<const EncoderKind* const> kinds) {
  const auto answers_to = [](const EncoderKind& kind, std::string_view type) {
    return kind.model_type == type || std::ranges::count(kind.aliases, type) > 0;
  };
  for (size_t i = 0; i < kinds.size(); ++i) {
    const EncoderKind* const kind = kinds[i];
    if (kind->model_type.empty() || kind->name.empty() || kind->summary.empty() ||
        kind->tokenizer.empty() || kind->example.empty()) {
      return false;
    }
    if (std::ranges::count(kind->aliases, kind->model_type) > 0) return false;
    for (const std::string_view alias : kind->aliases) {
      if (alias.empty() || std::ranges::count(kind->aliases, alias) > 1) return false;
    }
    for (size_t j = 0; j < i; ++j) {  // by place: sanitizers make addresses no constants
      const EncoderKind* const other = kinds[j];
      if (other->name == kind->name || answers_to(*other, kind->model_type)) return false;
      for (const std::string_view alias : kind->aliases) {
        if (answers_to(*other, alias)) return false;
      }
    }
  }
  return true;
}
static_assert(are_encoders_told_apart(kEncoders));

// The model_types that encoders are known by, aliases too, in the order of the list.
std::vector<std::string> encoder_types();

// The kind whose model_type or alias is `model_type`. Throws InputError naming `where`, all types
// and the nearest one.
const EncoderKind& require_encoder(std::string_view model_type, const std::string& where);

}  // namespace rubric::models
