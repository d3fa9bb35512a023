// Every kind of encoder. No libtorch.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "core/list.h"
#include "models/encoders/bert_kind.h"
#include "models/encoders/deberta_kind.h"
#include "models/encoders/kind.h"
#include "models/encoders/modernbert_kind.h"

namespace rubric::models {

// A new kind is a line here, and files of its own.
// clang-format off
inline constexpr const EncoderKind* kEncoders[] = {
    &kBert,
    &kRoberta,
    &kMpnet,
    &kDeberta,
    &kDebertaV2,
    &kElectra,
    &kDistilBert,
    &kRemBert,
    &kBleurt,
    &kModernBert,
};
// clang-format on
static_assert(have_unique_names(kEncoders));

// The model_types that encoders are known by, aliases too, in the order of the list.
std::vector<std::string> encoder_types();

// The kind whose model_type or alias is `model_type`. Throws InputError naming `where`, all types
// and the nearest one.
const EncoderKind& require_encoder(std::string_view model_type, const std::string& where);

}  // namespace rubric::models
