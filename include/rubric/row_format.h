// How a file of rows is read.
#pragma once

#include <map>
#include <string>

namespace rubric {

// The file's own names of fields, by ours: {"candidate", "prediction"}.
using FieldNames = std::map<std::string, std::string>;

struct RowFormat {
  std::string input_format = {};  // "": by the file's name and content
  std::string delimiter = {};     // of a table: one character, or "tab"; "": the format's
  FieldNames fields = {};

  void visit_fields(auto& field) {
    visit_file_fields(field);
    field("field", fields,
          "the file's own name of a field, such as candidate=prediction; may be repeated");
  }
  void visit_file_fields(auto& field) {  // for rows whose fields have one name each
    field("input-format", input_format,
          "a format of `rubric list readers`; else by the file's name");
    field("delimiter", delimiter,
          "between the columns of a table, such as ';' or tab; else the format's")
        .named("CHARACTER");
  }
};

// The option of requests that read references.
void visit_reference_separator(auto& field, std::string& separator) {
  field("reference-separator", separator,
        "between several answers in one reference: with / \"a/b\" has the references a and b")
      .named("TEXT")
      .escaped();
}

}  // namespace rubric
