// What becomes of rows that lack a value.
#pragma once

namespace rubric {

// Missing values are a table's empty cells, absent fields, JSON's null, and Python's None, NaN and
// NA. The text "" of JSON and Python is not missing: it is an answer without words, and as a
// reference "no answer", as in SQuAD 2.0.
enum class Missing {
  automatic,  // as `empty` for candidates, as `error` for references and labels
  empty,      // a missing text is ""; a missing label is an error where one is needed
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
