// How a file of rows is read.
#pragma once

#include <map>
#include <string>

namespace rubric {

struct RowFormat {
  std::string input_format = {};  // "": by the file's name and content
  std::string delimiter = {};     // of a table: one character, or "tab"; "": the format's
  std::map<std::string, std::string> fields = {};  // the file's names of fields, by ours

  void visit_fields(auto& field) {
    field("input-format", input_format,
          "a format of `rubric list readers`; else by the file's name");
    field("delimiter", delimiter,
          "between the columns of a table, such as ';' or tab; else the format's")
        .named("CHARACTER");
    field("field", fields,
          "the file's own name of a field, such as candidate=prediction; may be repeated");
  }
};

}  // namespace rubric
