// Which rows have questions that a metric's model has seen: what `score` notes in them, and
// `evaluate agreement` reads.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"

namespace rubric::data {

// How a model has seen the question of a row: the values of the row's object "seen", by metric.
inline constexpr const char *kSeenTrained = "trained", *kSeenTuned = "tuned";

// The indices of the records whose questions a model was trained on, and of the others whose
// questions it was tuned on.
struct SeenRows {
  std::vector<size_t> trained, tuned;

  std::vector<std::string> texts(size_t records) const;  // of each record; "": not seen
};

// Says in the row's object `member` ("seen") how the models of the metrics `names` have seen its
// question; "": takes out what an earlier score said.
void set_seen(Json& row, const std::string& member, std::span<const std::string> names,
              const std::string& how);

// Whether `row` says so. In a table it is the column "seen.lerc".
bool is_seen(const Json& row, const std::string& metric, const std::string& how);

}  // namespace rubric::data
