#include "data/tasks/label_scale.h"

#include <algorithm>
#include <optional>

#include "core/error.h"
#include "core/json/json.h"
#include "core/text/ascii.h"

namespace rubric::data {

namespace {
constexpr LabelScale kUnit{0, 1}, kFive{1, 5}, kPercent{0, 100};
}

LabelScale scale_of_labels(double least, double greatest) {
  if (kUnit.contains(least) && kUnit.contains(greatest)) return kUnit;
  if (kFive.contains(least) && kFive.contains(greatest) && greatest > kFive.high - 1) return kFive;
  if (least >= kPercent.low && greatest > kPercent.high / 2 && greatest <= kPercent.high) {
    return kPercent;
  }
  return {least, greatest};
}

bool are_on_two_scales(const LabelScale& first, const LabelScale& second) {
  const LabelScale scales[] = {scale_of_labels(first.low, first.high),
                               scale_of_labels(second.low, second.high)};
  const auto is_usual = [](const LabelScale& scale) {
    return scale == kUnit || scale == kFive || scale == kPercent;
  };
  return scales[0] != scales[1] && std::ranges::all_of(scales, is_usual);
}

LabelScale parse_label_scale(const std::string& text, const std::string& where) {
  const size_t colon = text.find(':');
  const std::optional<double> low = parse_number(trim(text.substr(0, colon)));
  const std::optional<double> high =
      colon == std::string::npos ? std::nullopt : parse_number(trim(text.substr(colon + 1)));
  if (low && high && *low < *high) return {*low, *high};
  throw InputError("\"" + text + "\" is no scale, LOW:HIGH", where, "write it as 0:1 or 1:5");
}

int64_t count_outside(const LabelScale& scale, std::span<const double> scores) {
  return std::ranges::count_if(scores, [&](double score) { return !scale.contains(score); });
}

std::string range_text(const LabelScale& range) {
  return Json(range.low).dump() + " to " + Json(range.high).dump();
}

std::string scale_text(const LabelScale& scale) {
  return Json(scale.low).dump() + ":" + Json(scale.high).dump();
}

}  // namespace rubric::data
