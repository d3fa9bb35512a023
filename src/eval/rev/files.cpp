#include <algorithm>
#include <map>
#include <set>

#include "core/error.h"
#include "core/json/json.h"
#include "eval/rev/rev.h"

namespace rubric::eval {
namespace {

using FileRows = std::vector<data::ScoredRationale>;

std::string name_of(const RevFile& file) {
  return file.first + "=" + file.second.string();
}

// The ids of `rows` that `others` lack, quoted.
std::vector<std::string> ids_apart(const FileRows& rows, const FileRows& others) {
  std::set<std::string> known;
  for (const data::ScoredRationale& row : others) known.insert(row.id);
  std::vector<std::string> apart;
  for (const data::ScoredRationale& row : rows) {
    if (!known.contains(row.id)) apart.push_back(json_quote(row.id));
  }
  return apart;
}

void check_same_ids(const RevFile& first_file, const FileRows& first, const RevFile& file,
                    const FileRows& rows) {
  std::vector<std::string> only;
  for (const auto& [holder, apart] :
       {std::pair(&first_file, ids_apart(first, rows)), {&file, ids_apart(rows, first)}}) {
    if (!apart.empty()) {
      only.push_back(name_of(*holder) + " alone has " + std::to_string(apart.size()) + ": " +
                     join_some(apart));
    }
  }
  if (!only.empty()) {
    throw InputError("two files hold different ids", join(only, "; "),
                     "compare kinds over the same rows: --common-rows leaves out the others");
  }
  for (size_t i = 0; i < rows.size(); ++i) {
    if (rows[i].id == first[i].id) continue;
    throw InputError("two files hold the same ids in different orders",
                     first[i].where + " and " + rows[i].where, "bring them into one order");
  }
}

InputError other_data(const std::string& differs, const data::ScoredRationale& first,
                      const data::ScoredRationale& row) {
  return InputError("rows of one id differ in " + differs, first.where + " and " + row.where,
                    "give files that were made of the same data");
}

void check_same_question(const data::ScoredRationale& first, const data::ScoredRationale& row) {
  std::string differs;
  if (row.question != first.question) differs = "question";
  if (row.premise != first.premise) differs = "premise";
  if (row.hypothesis != first.hypothesis) differs = "hypothesis";
  if (row.choices != first.choices) differs = "choices";
  if (!differs.empty()) throw other_data(differs, first, row);
}

// Compares with the first file that has gold labels.
void check_same_gold(const std::vector<FileRows>& files) {
  const auto has_gold = [](const FileRows& rows) { return !rows.front().gold.empty(); };
  const auto first = std::ranges::find_if(files, has_gold);
  for (auto file = first; file != files.end(); ++file) {
    for (size_t i = 0; has_gold(*file) && i < file->size(); ++i) {
      if ((*file)[i].gold != (*first)[i].gold) throw other_data("gold", (*first)[i], (*file)[i]);
    }
  }
}

void check_same_metrics(const RevFile& first_file, const FileRows& first, const RevFile& file,
                        const FileRows& rows) {
  const RevScores first_scores = rev_scores(first), scores = rev_scores(rows);
  for (size_t metric = 0; metric < kRevMetrics.size(); ++metric) {
    if (scores.has(metric) == first_scores.has(metric)) continue;
    throw InputError(std::string("the seeds of ") + file.first + " do not all have what " +
                         kRevMetrics[metric].title + " is made of",
                     name_of(first_file) + " and " + name_of(file),
                     "score all seeds, or leave those out that are not scored");
  }
}

}  // namespace

std::vector<RevPairs> read_rev_pairs(std::span<const RevFile> files, RowsWanted wanted) {
  const bool takes_common = wanted == RowsWanted::common;
  std::vector<FileRows> all;
  for (const RevFile& file : files) {
    all.push_back(data::read_scored_rationales(
        file.second, takes_common ? data::Gaps::kept : data::Gaps::refused));
  }
  std::vector<std::set<std::string>> left_out(all.size());
  if (takes_common) left_out = keep_common_rows(all);
  for (size_t file = 1; file < all.size(); ++file) {
    check_same_ids(files.front(), all.front(), files[file], all[file]);
    for (size_t i = 0; i < all[file].size(); ++i) check_same_question(all.front()[i], all[file][i]);
  }
  check_same_gold(all);
  std::vector<RevPairs> kinds;
  std::map<std::string, std::pair<size_t, const RevFile*>>
      known;  // by kind: its index and first file
  for (size_t i = 0; i < files.size(); ++i) {
    const auto [entry, is_new] = known.emplace(files[i].first, std::pair(kinds.size(), &files[i]));
    const auto& [place, first_file] = entry->second;
    if (is_new) {
      kinds.push_back({files[i].first, {}});
    } else {
      check_same_metrics(*first_file, kinds[place].seeds.front(), files[i], all[i]);
    }
    kinds[place].seeds.push_back(std::move(all[i]));
    kinds[place].left_out.push_back(std::move(left_out[i]));
  }
  return kinds;
}

stats::Clusters rationale_questions(std::span<const data::ScoredRationale> rows) {
  std::vector<std::vector<std::string>> keys;
  for (const data::ScoredRationale& row : rows) {
    keys.push_back({row.question, row.premise, row.hypothesis});
  }
  return stats::clusters_by(keys);
}

std::vector<std::set<std::string>> keep_common_rows(
    std::vector<std::vector<data::ScoredRationale>>& files) {
  std::vector<std::set<std::string>> left_out(files.size());
  std::map<std::string, size_t> holders;  // by id: the number of files that still have it
  for (size_t i = 0; i < files.size(); ++i) {
    for (const data::ScoredRationale& row : files[i]) left_out[i].insert(row.id);
    data::take_out_gaps(files[i]);
    for (const data::ScoredRationale& row : files[i]) ++holders[row.id];
  }
  for (size_t i = 0; i < files.size(); ++i) {
    std::erase_if(files[i], [&](const data::ScoredRationale& row) {
      return holders.at(row.id) != files.size();
    });
    for (const data::ScoredRationale& row : files[i]) left_out[i].erase(row.id);
  }
  if (files.empty() || !files.front().empty()) return left_out;
  throw InputError("the files have no row in common that is scored in all of them", "--common-rows",
                   "compare files that were made from the same data");
}

}  // namespace rubric::eval
