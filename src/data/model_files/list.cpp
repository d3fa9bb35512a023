#include "data/model_files/list.h"

#include <vector>

#include "core/error.h"
#include "core/json/json.h"

namespace rubric::data {

const SequenceKind& require_sequence_kind(std::string_view model_type, const std::string& where) {
  if (const auto* const kind = find<SequenceKind>(kSequenceKinds, model_type)) return *kind;
  std::vector<std::string> known;
  for (const SequenceKind* const kind : kSequenceKinds) {
    known.push_back(json_quote(kind->name));
    for (const std::string_view alias : kind->aliases) known.push_back(json_quote(alias));
  }
  throw InputError(
      "the model is a " + json_quote(model_type) + ", which is not one of the supported models",
      where, "use one of " + join(known));
}

}  // namespace rubric::data
