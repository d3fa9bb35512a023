// What becomes of rows that lack a value.
#pragma once

namespace rubric {

// A value is missing where a table has an empty cell; JSON null, or no field; Python None, NaN or
// NA. The text "" of JSON and Python is no missing value: it is an answer without words, and as a
// reference "no answer", as SQuAD 2.0 has it.
enum class Missing {
  automatic,  // as `empty` for candidates, as `error` for references and labels
  empty,      // a text is ""; a label cannot be empty, so that it is an error where one is needed
  drop,       // the row is left out, and counted in a warning
  error,      // InputError
};

// The option of requests that read rows.
void visit_missing(auto& field, Missing& missing) {
  field("missing", missing,
        "rows that lack a value: empty (a text is read as \"\"), drop (the row), or error; "
        "automatic: "
        "empty for candidates, error for references, labels and scores")
      .named("RULE")
      .choices({"automatic", "empty", "drop", "error"});
}

}  // namespace rubric
