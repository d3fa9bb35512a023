#include "data/answers/lm_eval.h"

#include <algorithm>

#include "core/error.h"

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

void refuse_lm_eval_results(const Json& document, const std::string& file) {
  const Json* const results = document.is_object() ? document.find("results") : nullptr;
  if (results == nullptr || !results->is_object() || document.find("samples") != nullptr ||
      document.find("config_general") != nullptr) {  // LightEval's
    return;
  }
  const auto is_value_of_metric = [](const auto& member) {
    return !member.second.is_object() && !member.second.is_array();
  };
  // A metric's name has that of its filter: "exact_match,none". Earlier releases have none.
  bool has_filters = document.find("configs") != nullptr || document.find("versions") != nullptr;
  for (const auto& [task, values] : results->object()) {
    if (!values.is_object() || !std::ranges::all_of(values.object(), is_value_of_metric)) return;
    for (const auto& [metric, value] : values.object()) {
      has_filters |= value.is_number() && metric.find(',') != metric.npos;
    }
  }
  if (results->object().empty() || !has_filters) return;
  throw InputError("the file holds aggregate results of lm-evaluation-harness, and no answers",
                   file,
                   "run it with --log_samples, and give samples_" +
                       results->object().front().first + "_*.jsonl, which it writes beside them");
}

}  // namespace rubric::data
