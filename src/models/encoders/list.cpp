#include "models/encoders/list.h"

#include "core/error.h"
#include "core/json/json.h"

namespace rubric::models {

std::vector<std::string> encoder_types() {
  std::vector<std::string> types;
  for (const EncoderKind* const kind : kEncoders) {
    types.emplace_back(kind->name);
    types.insert(types.end(), kind->aliases.begin(), kind->aliases.end());
  }
  return types;
}

const EncoderKind& require_encoder(std::string_view model_type, const std::string& where) {
  if (const EncoderKind* const kind = find<EncoderKind>(kEncoders, model_type)) return *kind;
  const std::string nearest = nearest_name(model_type, encoder_types());
  std::vector<std::string> quoted;
  for (const std::string& type : encoder_types()) quoted.push_back(json_quote(type));
  const std::string last = quoted.back();
  quoted.pop_back();
  throw InputError("the model is a " + json_quote(model_type) + "; this version runs " +
                       join(quoted) + (quoted.empty() ? "" : " and ") + last,
                   where,
                   nearest.empty() ? "name a model of one of these types"
                                   : "did you mean " + json_quote(nearest) + "?");
}

}  // namespace rubric::models
