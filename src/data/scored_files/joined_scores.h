// Scores that another program gave to the answers of a file, so that they stand beside ours.
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/rows/rows.h"
#include "data/rows/seen_rows.h"

namespace rubric::data {

// The fields by which rows may be told apart: id, constituent.
const std::vector<std::string>& join_keys();

// Scores of the answers, and how the models of these have seen their questions: the object "seen"
// of rows that rubric has scored.
struct ScoresAndSeen : Scores {
  std::map<std::string, SeenRows> seen;  // by name, of those that have seen some
};

// The scores of each answer, from the rows of a file. `keys` distinguish the rows: the file's names
// of ours ({id: row, constituent: system}). They are the numbers of the first row: the members of
// its "scores", as `rubric score` writes them, and fields that are neither of an answer nor ids,
// nor a field of `rows`, those of the answers: such a column is theirs, as a human label is, and no
// score; a line names those left out. Where neither file has ids, rows are joined in their order.
// Throws InputError for a key that is not in join_keys() or missing in a row, two rows with the
// same keys, a score that is no number, a file without a score, and answers without a row.
ScoresAndSeen read_joined_scores(const std::filesystem::path& file, const FieldNames& keys,
                                 std::span<const Answer> answers, std::span<const Json> rows = {});

}  // namespace rubric::data
