#include "data/rows/copied_rows.h"

#include <functional>
#include <iterator>

#include "core/error.h"
#include "core/system/log.h"

namespace rubric::data {

uint64_t row_hash(const Json& row) {
  return std::hash<std::string>()(row.dump());
}

bool CopiedRows::add(const Json& row, const std::string& where) {
  if (known_.insert(row_hash(row)).second) return false;
  places_.push_back(where);
  return true;
}

std::string copies_text(const std::vector<std::string>& places, const std::string& what) {
  if (places.empty()) return "";
  return counted(std::ssize(places), "row is a copy", "rows are copies") +
         " of an earlier one in every field: " + join_some(places) + ". " + what +
         ": leave copies out, unless they are answers given again";
}

void warn_of_copies(const std::vector<std::string>& places, const std::string& what) {
  if (const std::string text = copies_text(places, what); !text.empty()) log_warning(text);
}

}  // namespace rubric::data
