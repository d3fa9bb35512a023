// What the files that the current call reads call our fields. Messages about a candidate,
// reference, passage, … name the user's own column where another name stands for it: whoever reads
// a file says so once, and whoever writes a message need not know the file.
#pragma once

#include <map>
#include <string>

namespace rubric {

// Kept until the innermost ContextScope of this thread ends; outside of one nothing is. `names`:
// the file's names by ours, where they differ. Names are forgotten where two files of a scope call
// a field differently.
void set_field_names(const std::map<std::string, std::string>& names, bool is_table);

// Behind our name of a field, in a message: ` (column "model_output")`, of JSON ` (field "…")`; ""
// where the file has our name. The files are those of the innermost scope that has read any: a call
// within a call has the names of the outer one.
//
//   "no row has a candidate" + own_field("candidate")
std::string own_field(const std::string& ours);

}  // namespace rubric
