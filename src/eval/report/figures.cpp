#include "eval/report/figures.h"

#include <cstdio>

#include "eval/report/table.h"

namespace rubric {

std::string cell(std::optional<double> value) {
  return value ? format_fixed(*value, 3) : "–";
}

std::string cell(std::optional<double> value, const std::optional<Interval>& interval) {
  if (!value || !interval) return cell(value);
  return cell(value) + " [" + cell(interval->low) + ", " + cell(interval->high) + "]";
}

std::string p_cell(double p) {
  return p < 0.001 ? "< 0.001" : format_fixed(p, 3);
}

std::string number(std::optional<double> value) {
  return value ? format_fixed(*value, 6) : "";
}

std::string p_number(double p) {
  char text[32];
  std::snprintf(text, sizeof(text), "%.6g", p);
  return text;
}

Json or_null(std::optional<double> value) {
  return value ? Json(*value) : Json();
}

Json or_null(const std::optional<Interval>& interval) {
  return interval ? Json(Json::Array{interval->low, interval->high}) : Json();
}

void add_resampled(Json& json, const std::string& figure,
                   std::span<const std::optional<double>> resampled) {
  Json::Array values;
  for (const std::optional<double>& value : resampled) {
    values.push_back(value ? Json::exact_number(*value, p_number(*value)) : Json());
  }
  json["resampled"][figure] = std::move(values);
}

}  // namespace rubric
