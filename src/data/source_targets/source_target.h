// Reads files of rows (JSON lines, CSV, TSV) as pairs of source and target text, by templates, and
// adds scores to them.
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

// Whether every row must have a target: training and scoring need it, generation does not.
enum class Targets { required, optional };

// The templates of a pair (data/source_targets/pair_config.h).
struct PairTexts {
  TextTemplate source, target, given;
  FieldNames names;  // the file's names of the templates' fields and of id
  Targets targets = Targets::required;
  // What a field's text must not contain: the templates' marks, and the token that ends a target.
  std::vector<std::string> marks;

  // Parses the templates of the configuration and `given`, the template of the known beginning of a
  // target. Throws InputError for malformed templates, and for field names that no template uses.
  explicit PairTexts(const PairConfig& config, FieldNames field_names = {},
                     const std::string& given = "");
};

// Makes the pair of one row; the default id is `number`. A source that consists of one field may be
// empty. Throws InputError, naming `where` and the field, for a field that is missing, empty, not
// text, or contains a mark of its template, and for a renamed field that the row lacks.
SourceTarget source_target_of(const Json& row, const PairTexts& texts, int64_t number,
                              const std::string& where);

struct SourceTargetRows {
  std::vector<SourceTarget> records;
  std::vector<Json> rows;           // whole, of each
  std::vector<std::string> places;  // "file:line" of each
};

// Reads the first `limit` rows of a file (0: all), in order. Throws InputError as
// source_target_of() does, naming file and line, and for a file without rows and a format that is
// not rows.
SourceTargetRows read_source_targets_with_rows(const std::filesystem::path& file,
                                               InputFormat format, const PairTexts& texts,
                                               int64_t limit = 0);

// The list of texts in the file's field `name` of each row, which are used as targets. Throws
// InputError for a row without texts, with an empty text or with a text that contains a mark.
std::vector<std::vector<std::string>> row_texts(const SourceTargetRows& file,
                                                const std::string& name, const PairTexts& texts);

// Throws InputError for a row whose "scores" are malformed. Called before scores are computed.
void check_scores(const SourceTargetRows& file);

// Merges each record's scores into the "scores" of its row; write_rows() writes the rows.
void add_scores(SourceTargetRows& file, const Scores& scores);

}  // namespace rubric::data
