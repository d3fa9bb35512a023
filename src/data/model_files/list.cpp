#include "data/model_files/list.h"

#include "core/error.h"
#include "core/json/json.h"

namespace rubric::data {

std::vector<std::string> sequence_types() {
  std::vector<std::string> types;
  for (const SequenceKind* const kind : kSequenceKinds) {
    types.emplace_back(kind->name);
    types.insert(types.end(), kind->aliases.begin(), kind->aliases.end());
  }
  return types;
}

const SequenceKind& require_sequence_kind(std::string_view model_type, const std::string& where) {
  if (const auto* const kind = find<SequenceKind>(kSequenceKinds, model_type)) return *kind;
  std::vector<std::string> known;
  for (const std::string& type : sequence_types()) known.push_back(json_quote(type));
  throw InputError(
      "the model is a " + json_quote(model_type) + ", which is not one of the supported models",
      where, "use one of " + join(known));
}

}  // namespace rubric::data
