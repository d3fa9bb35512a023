// Layouts that are written as data, in the file layouts.tsv beside the code of their suite:
//
//   [means]
//   title   Means over {records}
//   row     group    group   all records
//   row     system   system
//   column  C        count   count   metric=C
//   column           mean            across=metric
//   keys    method=t
//   note    95% intervals by Student's t
//
// Cells are between tabs. A row has a title, a key, and what it says where it has no such key;
// an optional_row says nothing there, and `only` are the texts of the row before it. A column has a
// title, its statistics, the form of its numbers (else fixed3) and keys; also across=KEY, any=KEY
// and part=PART. `folded`: HTML shows the title alone at first.
#pragma once

#include <map>
#include <string>

#include "rubric/result.h"

namespace rubric::eval {

// The layout `name` of src/eval/SUITE/layouts.tsv. A name in braces is replaced by its text. Throws
// std::logic_error where the file has another form, and std::out_of_range for a name without text.
Layout read_layout(const std::string& suite, const std::string& name,
                   const std::map<std::string, std::string>& texts = {});

}  // namespace rubric::eval
