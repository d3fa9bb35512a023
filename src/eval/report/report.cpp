#include "eval/report/report.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/json/json.h"
#include "core/system/process.h"
#include "core/text/utf8.h"

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

namespace {

// The body of a page, which grows until a number of bytes is reached. What does not fit is counted.
class Body {
 public:
  explicit Body(size_t most_bytes) : left_(most_bytes - kReserve) {}

  // The most that one part may take, so that what follows it has room.
  size_t share() const { return left_ / 2; }

  void add(std::string_view html) {
    if (html.size() > left_) {
      ++left_out_;
      return;
    }
    left_ -= html.size();
    html_ += html;
  }

  std::string html() const {
    if (left_out_ == 0) return html_;
    return html_ + html_paragraph("Left out, as the page would be too large: " +
                                      std::to_string(left_out_) + " parts of this report",
                                  "note");
  }

 private:
  static constexpr size_t kReserve = 200;
  size_t left_, left_out_ = 0;
  std::string html_;
};

void add_plots(const std::vector<Plot>& plots, const ShownRows& shown, Body& body) {
  if (plots.empty()) return;
  const size_t share = body.share();
  size_t used = 0, left_out = 0;
  std::string html = "<div class=\"pictures\">\n";
  for (const Plot& plot : plots) {
    const std::string figure = "<figure>" + draw(plot, shown) + "<figcaption>" +
                               escape_html(plot.title) + "</figcaption></figure>\n";
    used += figure.size();
    if (used > share) {
      ++left_out;
    } else {
      html += figure;
    }
  }
  html += "</div>\n";
  if (left_out > 0) {
    html += html_paragraph(
        "and " + std::to_string(left_out) + " more pictures, which would make this page too large",
        "note");
  }
  body.add(html);
}

}  // namespace

std::string to_html(const Report& report) {
  constexpr size_t kMostOfRows = 400'000;
  const EmbeddedRows rows = embed_rows(report, kMostOfRows);
  Body body(kMostPageBytes - html_page(report.title, rows.element).size());
  for (const std::string& text : report.paragraphs) body.add(html_paragraph(text));
  for (size_t i = 0; i < std::max<size_t>(report.tables.size(), 1); ++i) {
    if (i < report.tables.size()) body.add(html_table(report.tables[i], body.share()));
    if (i == 0) add_plots(report.plots, rows.shown, body);
  }
  if (!report.signatures.empty()) body.add("<h2>Signatures</h2>\n");
  for (const std::string& signature : report.signatures) {
    body.add(html_paragraph(signature, "signature"));
  }
  if (!report.command.empty()) {
    body.add("<h2>Made by</h2>\n" + html_paragraph(report.command, "signature"));
  }
  if (!report.versions.empty()) body.add(html_paragraph(join(report.versions), "note"));
  return html_page(report.title, body.html() + rows.element);
}

std::string shell_command(const std::string& program, const std::vector<std::string>& arguments) {
  std::string line = program;
  for (const std::string& argument : arguments) line += " " + shell_word(argument);
  return line;
}

}  // namespace rubric::eval
