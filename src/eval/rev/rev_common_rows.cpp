#include "eval/rev/rev_common_rows.h"

#include <map>

#include "core/error.h"

namespace rubric {

std::vector<std::set<std::string>> keep_common_rows(
    std::vector<std::vector<ScoredRationale>>& files) {
  std::vector<std::set<std::string>> left_out(files.size());
  std::map<std::string, size_t> holders;  // by id: in how many files it is left
  for (size_t i = 0; i < files.size(); ++i) {
    for (const ScoredRationale& row : files[i]) left_out[i].insert(row.id);
    take_out_gaps(files[i]);
    for (const ScoredRationale& row : files[i]) ++holders[row.id];
  }
  for (size_t i = 0; i < files.size(); ++i) {
    std::erase_if(files[i],
                  [&](const ScoredRationale& row) { return holders.at(row.id) != files.size(); });
    for (const ScoredRationale& row : files[i]) left_out[i].erase(row.id);
  }
  if (files.empty() || !files.front().empty()) return left_out;
  throw InputError("the files have no row in common that is scored in all of them", "--common-rows",
                   "compare files that were made of the same data");
}

}  // namespace rubric
