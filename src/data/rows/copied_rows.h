// Rows that are equal to an earlier one in every field: most often one row that was pasted, or one
// file that was joined to itself. Each counts again, so whoever counts rows says so.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_set>
#include <vector>

#include "core/json/json.h"

namespace rubric::data {

// Equal for rows that are equal in every field.
uint64_t row_hash(const Json& row);

class CopiedRows {
 public:
  // Whether the row is equal to an earlier one.
  bool add(const Json& row, const std::string& where);

  const std::vector<std::string>& places() const { return places_; }

 private:
  std::unordered_set<uint64_t> known_;
  std::vector<std::string> places_;
};

inline constexpr const char* kMeansCountCopies = "Means count each of them";
inline constexpr const char* kCopiesAreRead = "Each of them is read";
inline constexpr const char* kCopiesStayTogether =
    "Each of them is written, and copies come into one part";

// "2 rows are copies of an earlier one in every field: a.csv:3, a.csv:7. Means count each of them:
// leave copies out, unless they are answers given again"; "" for no places. `what` says what copies
// do.
std::string copies_text(const std::vector<std::string>& places, const std::string& what);

// Warns with that text, if there are any.
void warn_of_copies(const std::vector<std::string>& places, const std::string& what);

}  // namespace rubric::data
