#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/json/json.h"
#include "core/text/utf8.h"
#include "eval/report/report.h"

namespace rubric::eval {
namespace {

constexpr size_t kMostRows = 600;
constexpr size_t kMostOfPoint = 60;  // shown for one point
constexpr size_t kMostOfCell = 400;  // bytes
constexpr size_t kRounds = 16;

std::vector<const PlotPoint*> points_with_rows(const Report& report) {
  std::vector<const PlotPoint*> points;
  for (const Plot& plot : report.plots) {
    for (const PlotSeries& series : plot.series) {
      for (const PlotPoint& point : series.points) {
        if (!point.rows.empty()) points.push_back(&point);
      }
    }
  }
  return points;
}

// JSON without what ends a script element, or a line of JavaScript (U+2028 and U+2029).
std::string script_json(const Json& json) {
  std::string safe;
  const std::string text = json.dump();
  for (size_t i = 0; i < text.size(); ++i) {
    const std::string_view rest = std::string_view(text).substr(i);
    if (text[i] == '<' || text[i] == '>' || text[i] == '&') {
      safe += text[i] == '<' ? "\\u003c" : text[i] == '>' ? "\\u003e" : "\\u0026";
    } else if (rest.starts_with("\u2028") || rest.starts_with("\u2029")) {
      safe += rest.starts_with("\u2028") ? "\\u2028" : "\\u2029";
      i += 2;
    } else {
      safe += text[i];
    }
  }
  return safe;
}

// Rows that were taken, by number: their JSON, in the order of taking.
class Taken {
 public:
  Taken(const ReportRows& rows, size_t most_bytes) : rows_(rows), left_(most_bytes) {}

  bool has(uint32_t row) const { return places_.contains(row); }
  size_t place(uint32_t row) const { return places_.at(row); }

  // Whether there was room for it.
  bool take(uint32_t row) {
    if (places_.size() == kMostRows) return false;
    Json::Array cells;
    for (const std::string& cell : rows_.cells(row)) {
      cells.emplace_back(repair_utf8(cut_text(cell, kMostOfCell)));
    }
    const std::string json = script_json(Json(std::move(cells)));
    if (json.size() + 1 > left_) return false;
    left_ -= json.size() + 1;
    json_ += (json_.empty() ? "" : ",") + json;
    places_.emplace(row, places_.size());
    return true;
  }

  const std::string& json() const { return json_; }

 private:
  const ReportRows& rows_;
  size_t left_;
  std::map<uint32_t, size_t> places_;
  std::string json_;
};

// Gives the point `wanted` rows, if there are and may be as many: the next that it takes is one of
// `kRounds` evenly spread ones.
void give(const PlotPoint& point, size_t wanted, Taken& taken) {
  size_t has = 0;
  for (const uint32_t row : point.rows) {
    has += taken.has(row) ? 1 : 0;
    if (has >= wanted) return;
  }
  constexpr size_t kSpread[kRounds] = {8, 0, 4, 12, 2, 10, 6, 14, 1, 9, 5, 13, 3, 11, 7, 15};
  for (const size_t part : kSpread) {
    const uint32_t row = point.rows[part * point.rows.size() / kRounds];
    if (taken.has(row)) continue;
    taken.take(row);
    return;
  }
}

}  // namespace

EmbeddedRows embed_rows(const Report& report, size_t most_bytes) {
  EmbeddedRows embedded;
  const std::vector<const PlotPoint*> points = points_with_rows(report);
  if (points.empty() || !report.rows.cells) return embedded;
  Json::Array header;
  for (const std::string& name : report.rows.header) header.emplace_back(repair_utf8(name));
  const std::string begin = "<script type=\"application/json\" id=\"rows\">{\"header\":" +
                            script_json(Json(std::move(header))) + ",\"rows\":[",
                    end = "]}</script>\n";
  if (begin.size() + end.size() > most_bytes) return embedded;
  Taken taken(report.rows, most_bytes - begin.size() - end.size());
  for (size_t round = 1; round <= kRounds; ++round) {
    for (const PlotPoint* const point : points) give(*point, round, taken);
  }
  for (const PlotPoint* const point : points) {
    std::vector<size_t>& places = embedded.shown[point];
    for (const uint32_t row : point->rows) {
      if (taken.has(row) && places.size() < kMostOfPoint) places.push_back(taken.place(row));
    }
  }
  embedded.element = begin + taken.json() + end;
  return embedded;
}

}  // namespace rubric::eval
