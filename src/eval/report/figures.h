// Figures as they are shown: some are undefined, and say so in each form.
#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/json/json.h"
#include "stats/bootstrap_part.h"

namespace rubric {

// To be read: "0.123", "0.123 [0.100, 0.150]"; "–" where undefined.
std::string cell(std::optional<double> value);
std::string cell(std::optional<double> value, const std::optional<Interval>& interval);
std::string p_cell(double p);  // "0.012", "< 0.001"

// In CSV: with six decimals, empty where undefined.
std::string number(std::optional<double> value);
std::string p_number(double p);  // with six digits, however small

// In JSON: null where undefined, and [low, high].
Json or_null(std::optional<double> value);
Json or_null(const std::optional<Interval>& interval);

// Sets json["resampled"][figure] to the figure of each bootstrap resample, with six digits: there
// are a thousand of them for each figure. `reproduce` looks for them there.
void add_resampled(Json& json, const std::string& figure,
                   std::span<const std::optional<double>> resampled);

}  // namespace rubric
