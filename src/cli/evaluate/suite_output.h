// What a suite has found, printed and written as its options say.
#pragma once

#include <string>
#include <vector>

#include "cli/shared/options.h"
#include "core/json/json.h"
#include "eval/report/table.h"

namespace rubric {

struct SuiteOutput {
  std::string title, command, signature;
  Json json;
  std::vector<Table> tables;
  Table figures;                   // one a row: what --format csv prints
  std::vector<std::string> notes;  // of the tables, which the figures lack
};

// To standard output by --format, to the files of --summary and --report; the signature to stderr.
void write_suite(SuiteOutput output, const std::string& summary, const std::string& report,
                 OutputFormat format);

}  // namespace rubric
