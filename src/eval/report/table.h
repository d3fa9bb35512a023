// A table of text cells, and the forms it is printed in.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

enum class Align { left, right };

struct Table {
  std::string title;
  std::vector<std::string> header;
  std::vector<std::vector<std::string>> rows;  // shorter rows are filled with empty cells
  std::vector<Align> alignment;                // by column; right where it says nothing
  std::vector<std::string> notes;              // printed below, one a line (not in CSV)
};

enum class OutputFormat { text, json, markdown, csv, latex };

// Ends with a new line. Cells may hold anything: they are escaped as the format wants it.
//   text      columns aligned on a terminal, wide and combining characters counted as such
//   json      {"title", "header", "rows", "notes"}, for commands without a form of their own
//   markdown  GitHub's pipe table
//   csv       RFC 4180's quoting, lines ending in "\n"; header and rows alone
//   latex     a tabular without packages
std::string print_table(const Table& table, OutputFormat format);

// One after another, a blank line between two.
std::string print_tables(std::span<const Table> tables, OutputFormat format);

std::string format_fixed(double value, int decimals);  // "0.123"; never "-0.000"

// Figures as they are shown: some are undefined, and say so in each form.

// To be read: "0.123", "0.123 [0.100, 0.150]"; "–" where undefined.
std::string cell(std::optional<double> value);
std::string cell(std::optional<double> value, const std::optional<stats::Interval>& interval);
std::string p_cell(double p);  // "0.012", "< 0.001"

// In CSV: with six decimals, empty where undefined.
std::string number(std::optional<double> value);
std::string p_number(double p);  // with six digits, however small

// In JSON: null where undefined, and [low, high].
Json or_null(std::optional<double> value);
Json or_null(const std::optional<stats::Interval>& interval);

// Sets json["resampled"][figure] to the figure of each bootstrap resample, with six digits: there
// are a thousand of them for each figure. `reproduce` looks for them there.
void add_resampled(Json& json, const std::string& figure,
                   std::span<const std::optional<double>> resampled);

}  // namespace rubric::eval
