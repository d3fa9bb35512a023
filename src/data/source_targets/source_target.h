// Rows of a source and a target: JSON lines, CSV or TSV.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "data/rows/rows.h"
#include "data/source_targets/pair_config.h"

namespace rubric::data {

// Whether every row must have a target, as to train or to score; to generate, none need.
enum class Targets { required, optional };

// What the texts of a pair are made of (text/text_template.h).
struct PairTexts {
  TextTemplate source, target, given;
  FieldNames names;  // what the file calls the templates' fields and id
  Targets targets = Targets::required;
  // What no field's text may hold: the templates' marks, and the token that ends a target.
  std::vector<std::string> marks;

  // Of the configuration's templates and that of what is given of a target. Throws InputError for
  // those that are none, and for names of fields that are not theirs.
  explicit PairTexts(const PairConfig& config, const std::vector<std::string>& field_names = {},
                     const std::string& given = "");
};

// Of one row. Without an id its number is its id. A source that is one field may be empty. Throws
// InputError, naming `where` and the field, for a field that is missing, empty or no text or that
// holds a mark of its template, and a field that `texts` names and the row lacks.
SourceTarget source_target_of(const Json& row, const PairTexts& texts, int64_t number,
                              const std::string& where);

// The rows of a file, in order. Throws InputError as source_target_of() does, naming file and line,
// and for a file without rows and a format that has none.
std::vector<SourceTarget> read_source_targets(const std::filesystem::path& file, InputFormat format,
                                              const PairTexts& texts,
                                              int64_t limit = 0);  // the first rows; 0: all

// The same with the whole object that the file has for each.
struct WholeSourceTargets {
  std::vector<SourceTarget> records;
  std::vector<Json> rows;
  std::vector<std::string> wheres;  // "file:line" of each
};
WholeSourceTargets read_whole_source_targets(const std::filesystem::path& file, InputFormat format,
                                             const PairTexts& texts, int64_t limit = 0);

// The texts that the file's own field `name` lists in each row, to stand where targets do. Throws
// InputError for a row without any, with an empty one or with one that holds a mark.
std::vector<std::vector<std::string>> row_texts(const WholeSourceTargets& file,
                                                const std::string& name, const PairTexts& texts);

// Before the scores are computed: throws InputError for a row whose "scores" are none.
void check_scores(const WholeSourceTargets& file);

// Merges each record's scores with the "scores" of its row, which write_rows() writes.
void add_scores(WholeSourceTargets& file, const Scores& scores);

}  // namespace rubric::data
