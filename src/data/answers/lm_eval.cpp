#include "data/answers/lm_eval.h"

namespace rubric::data {

bool is_lm_eval_sample(const Json& row) {
  return row.find("doc_id") != nullptr && row.find("filtered_resps") != nullptr;
}

std::string sample_constituent(const Json& row) {
  std::string constituent;
  for (const char* const field : {"task", "filter"}) {
    const Json* const name = row.find(field);
    if (name == nullptr || !name->is_string() || name->string().empty()) continue;
    constituent += (constituent.empty() ? "" : "/") + name->string();
  }
  return constituent;
}

void add_sample_key(Json& row, const FieldNames& names) {
  const Json* const doc = row.find("doc_id");
  const std::string id = is_missing(doc) ? "" : scalar_text(*doc).value_or(doc->dump()),
                    constituent = sample_constituent(row);
  for (const auto& [ours, value] : {std::pair("id", id), {"constituent", constituent}}) {
    if (value.empty() || names.contains(ours) || row.find(ours) != nullptr) continue;
    row[ours] = value;
  }
}

}  // namespace rubric::data
