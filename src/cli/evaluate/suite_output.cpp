#include "cli/evaluate/suite_output.h"

#include <iostream>

#include "core/files/files.h"
#include "core/system/log.h"
#include "core/version.h"
#include "eval/report/report.h"

namespace rubric {

void write_suite(SuiteOutput output, const std::string& summary, const std::string& report,
                 OutputFormat format) {
  log_info(output.signature);
  output.json["signature"] = output.signature;
  if (!summary.empty()) write_file(summary, output.json.dump(2) + "\n");
  if (!report.empty()) {
    const Report page{output.title,
                      {},
                      output.tables,
                      {},
                      {output.signature},
                      output.command,
                      {std::string("rubric ") + kVersion}};
    write_file(report, to_html(page));
  }
  if (format == OutputFormat::json) {
    std::cout << output.json.dump(2) << "\n";
  } else if (format == OutputFormat::csv) {
    for (const std::string& note : output.notes) log_info(note);
    std::cout << print_table(output.figures, format);
  } else {
    std::cout << print_tables(output.tables, format);
  }
}

}  // namespace rubric
