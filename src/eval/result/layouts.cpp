#include "eval/result/layouts.h"

#include <algorithm>
#include <iterator>
#include <sstream>
#include <stdexcept>

#include "core/files/embedded.h"

namespace rubric::eval {
namespace {

constexpr const char* kForms[] = {"fixed4",   "fixed3", "fixed2",      "fixed1",   "percent1",
                                  "percent2", "count",  "significant", "decimals", "verdict"};
constexpr const char* kParts[] = {"value", "interval", "p", "p_holm", "n"};

// The value of an enumeration with these names.
template <class Enumeration, size_t kCount>
Enumeration value_called(const std::string& name, const char* const (&names)[kCount]) {
  const auto found = std::ranges::find(names, name);
  if (found == std::end(names)) throw std::logic_error("a layout has \"" + name + "\"");
  return static_cast<Enumeration>(found - std::begin(names));
}

Key key_called(const std::string& name) {
  for (const auto& [called, key] : kKeys) {
    if (called == name) return key;
  }
  throw std::logic_error("a layout has the key \"" + name + "\"");
}

std::string filled(std::string text, const std::map<std::string, std::string>& texts) {
  for (size_t at = text.find('{'); at != text.npos; at = text.find('{', at)) {
    const size_t end = text.find('}', at);
    const std::string& value = texts.at(text.substr(at + 1, end - at - 1));
    text.replace(at, end + 1 - at, value);
    at += value.size();
  }
  return text;
}

// "metric=f1"
std::pair<std::string, std::string> assignment(const std::string& cell) {
  const size_t equals = cell.find('=');
  return {cell.substr(0, equals), cell.substr(equals + 1)};
}

void set_key(const std::string& cell, Keys& keys) {
  const auto [name, value] = assignment(cell);
  keys.*key_called(name) = value;
}

Column column_of(const Cells& cells) {
  Column column{.title = cells.at(1)};
  std::istringstream statistics(cells.at(2));
  for (std::string statistic; statistics >> statistic;) column.statistics.push_back(statistic);
  if (cells.size() > 3 && !cells[3].empty()) {
    column.form = value_called<NumberForm>(cells[3], kForms);
  }
  for (size_t i = 4; i < cells.size(); ++i) {
    const auto [name, value] = assignment(cells[i]);
    if (name == "across") {
      column.across = key_called(value);
    } else if (name == "any") {
      column.any = key_called(value);
    } else if (name == "part") {
      column.part = value_called<CellPart>(value, kParts);
    } else {
      set_key(cells[i], column.keys);
    }
  }
  return column;
}

void add_line(const Cells& cells, Layout& layout) {
  const std::string& kind = cells.front();
  if (kind == "title") {
    layout.title = cells.at(1);
  } else if (kind == "row" || kind == "optional_row") {
    RowKey& row = layout.rows.emplace_back(RowKey{cells.at(1), key_called(cells.at(2))});
    if (kind == "optional_row") row.empty = "";
    if (cells.size() > 3) row.empty = cells[3];
  } else if (kind == "only") {
    layout.rows.back().only.assign(cells.begin() + 1, cells.end());
  } else if (kind == "column") {
    layout.columns.push_back(column_of(cells));
  } else if (kind == "keys") {
    for (size_t i = 1; i < cells.size(); ++i) set_key(cells[i], layout.keys);
  } else if (kind == "note") {
    layout.notes.push_back(cells.at(1));
  } else if (kind == "folded") {
    layout.is_folded = true;
  } else {
    throw std::logic_error("a layout has a line \"" + kind + "\"");
  }
}

}  // namespace

Layout read_layout(const std::string& suite, const std::string& name,
                   const std::map<std::string, std::string>& texts) {
  Layout layout;
  for (Cells& cells : embedded_rows("eval/" + suite + "/layouts.tsv", name)) {
    for (std::string& cell : cells) cell = filled(std::move(cell), texts);
    add_line(cells, layout);
  }
  return layout;
}

}  // namespace rubric::eval
