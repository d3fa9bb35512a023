#include "data/tasks/label_scale.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <map>
#include <numeric>
#include <optional>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/log.h"
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

// What people, R, SPSS and surveys write for a missing number.
bool is_code(double label) {
  constexpr double kCodes[] = {1, 7, 8, 9, 77, 88, 97, 98, 99, 999, 9999};
  constexpr double kLeastAbove = 9;  // 7 and 8 may well be ratings
  const bool is_size = std::ranges::count(kCodes, std::abs(label)) > 0;
  return is_size && (label < 0 || label >= kLeastAbove);
}

// Whether the code, which `times` labels are, lies where no label of the scale of the `count`
// others can be. A single 9 is rather a slip.
bool is_off(double code, size_t times, const LabelScale& others, size_t count, bool are_whole) {
  constexpr double kFar = 3, kNear = 0.75, kNine = 9, kSure = 99;
  constexpr size_t kMany = 20;
  const double range = others.high - others.low;
  if (code > others.high) {
    const bool may_be_rating = code == kNine;
    if (times < 2 && code < kSure) return false;
    if (may_be_rating && (count < kMany || !are_whole)) return false;
    return code - others.high >= (may_be_rating ? kNear : kFar) * range;
  }
  if (others.low < 0) return others.low - code > range;
  const bool is_step_below = code == -1 && others.low < 1 && range < 4;  // REV's: -1 to 3
  return !is_step_below;
}

// The codes of missing values; nothing where there are none.
std::optional<StrayLabels> codes_among(std::span<const double> labels) {
  std::map<double, size_t> counts;
  for (const double label : labels) ++counts[label];
  std::vector<std::pair<double, size_t>> distinct(counts.begin(), counts.end());
  const auto codes_at = [](auto begin, auto end) {
    return static_cast<size_t>(
        std::find_if(begin, end, [](const auto& label) { return !is_code(label.first); }) - begin);
  };
  const size_t below = codes_at(distinct.begin(), distinct.end()),
               above = codes_at(distinct.rbegin(), distinct.rend());
  // The largest set of codes: -99 is found only when the -9 beside it is set apart, too.
  std::optional<StrayLabels> found;
  size_t most = 0;
  for (size_t low = 0; low <= below; ++low) {
    for (size_t high = 0; high <= above; ++high) {
      if (low + high <= most || low + high + 2 > distinct.size()) continue;
      const std::span others(distinct.begin() + static_cast<std::ptrdiff_t>(low),
                             distinct.end() - static_cast<std::ptrdiff_t>(high));
      const LabelScale range{others.front().first, others.back().first};
      size_t count = 0;
      bool are_whole = true;
      for (const auto& [label, times] : others) {
        count += times;
        are_whole = are_whole && label == std::floor(label);
      }
      constexpr size_t kFewest = 3;
      const bool are_off = std::ranges::all_of(distinct, [&](const auto& label) {
        return range.contains(label.first) ||
               is_off(label.first, label.second, range, count, are_whole);
      });
      if (count < kFewest || !are_off) continue;
      most = low + high;
      found = {{}, range, true};
    }
  }
  if (!found) return std::nullopt;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!found->others.contains(labels[i])) found->places.push_back(i);
  }
  return found;
}

// Slips among labels without codes.
std::vector<StrayLabels> slips_among(std::span<const double> labels) {
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

}  // namespace

std::vector<StrayLabels> stray_labels(std::span<const double> labels) {
  std::optional<StrayLabels> codes = codes_among(labels);
  if (!codes) return slips_among(labels);
  std::vector<double> others;
  std::vector<size_t> places;
  for (size_t i = 0; i < labels.size(); ++i) {
    if (!codes->others.contains(labels[i])) continue;
    others.push_back(labels[i]);
    places.push_back(i);
  }
  std::vector<StrayLabels> strays = slips_among(others);
  for (StrayLabels& slips : strays) {
    for (size_t& place : slips.places) place = places[place];
  }
  strays.insert(strays.begin(), *std::move(codes));
  return strays;
}

std::string stray_text(const StrayLabels& strays, std::span<const double> labels,
                       const LabelText& name, const LabelText& place) {
  const bool is_one = strays.places.size() == 1;
  std::vector<std::string> each;
  for (const size_t label : strays.places) {
    each.push_back((is_one ? "the label of " + name(label) + " is " : name(label) + " has ") +
                   Json(labels[label]).dump() + " (" + place(label) + ")");
  }
  return (is_one ? each.front()
                 : counted(std::ssize(each), "label") +
                       " are far from all others: " + join_some(each)) +
         ", all others are from " + range_text(strays.others) +
         (strays.are_codes ? ": where such a number stands for a missing label, leave it empty"
          : is_one         ? ": if it is a slip, correct it"
                           : ": if they are slips, correct them");
}

std::vector<std::string> warn_of_stray_labels(std::span<const double> labels, const LabelText& name,
                                              const LabelText& place, const std::string& option) {
  std::vector<std::string> warnings;
  for (const StrayLabels& strays : stray_labels(labels)) {
    warnings.push_back(
        stray_text(strays, labels, name, place) +
        (option.empty() ? "" : "; " + option + scale_text(strays.others) + " refuses such labels"));
    log_warning(warnings.back());
  }
  return warnings;
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
