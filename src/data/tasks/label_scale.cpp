#include "data/tasks/label_scale.h"

#include <algorithm>
#include <functional>
#include <numeric>
#include <optional>
#include <utility>

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

namespace {

// The labels outside the usual scale `scale`; none where these are many, or the others are not on
// it.
std::vector<size_t> outside_usual(const LabelScale& scale, std::span<const double> labels) {
  constexpr size_t kFewest = 20, kOneIn = 100;
  std::vector<size_t> outside;
  std::vector<double> others;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (scale.contains(labels[i])) {
      others.push_back(labels[i]);
    } else {
      outside.push_back(i);
    }
  }
  const bool are_few = outside.size() <= std::max<size_t>(labels.size() / kOneIn, 1);
  if (!are_few || labels.size() < kFewest) return {};
  std::ranges::stable_sort(outside, std::greater(), [&](size_t i) {
    return std::max(scale.low - labels[i], labels[i] - scale.high);
  });
  const auto [least, greatest] = std::ranges::minmax(others);
  return least < greatest && scale_of_labels(least, greatest) == scale ? outside
                                                                       : std::vector<size_t>();
}

}  // namespace

std::vector<StrayLabels> stray_labels(std::span<const double> labels) {
  for (const LabelScale& scale : {kUnit, kFive, kPercent}) {
    std::vector<size_t> outside = outside_usual(scale, labels);
    if (!outside.empty()) return {{std::move(outside), scale}};
  }
  constexpr double kFar = 3;
  constexpr size_t kFewest = 3;
  if (labels.size() < kFewest) return {};
  std::vector<size_t> order(labels.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::ranges::sort(order, {}, [&](size_t i) { return labels[i]; });
  const auto value = [&](size_t place) { return labels[order[place]]; };
  const size_t last = order.size() - 1;
  std::vector<StrayLabels> strays;
  const auto add = [&](size_t far, size_t low, size_t high) {
    const double gap = far == 0 ? value(low) - value(far) : value(far) - value(high);
    const LabelScale others{value(low), value(high)};
    if (others.low < others.high && gap > kFar * (others.high - others.low)) {
      strays.push_back({{order[far]}, others});
    }
  };
  add(0, 1, last);
  add(last, 0, last - 1);
  return strays;
}

std::string stray_note(const StrayLabels& strays, std::span<const double> labels,
                       const std::string& name, const std::string& place) {
  const size_t more = strays.places.size() - 1;
  return "the label of " + name + " is " + Json(labels[strays.places.front()]).dump() + " (" +
         place +
         (more == 0
              ? ""
              : "; " + counted(static_cast<int64_t>(more), "more is", "more are") + " outside") +
         "), all others are from " + range_text(strays.others) + ": if it is a slip, correct it";
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
