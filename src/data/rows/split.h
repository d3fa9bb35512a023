// Splits rows into parts for training, tuning and testing, so that no question is in two parts.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "data/rows/input_format.h"

namespace rubric::data {

struct Share {
  std::string name;
  double share;  // expected share of the distinct texts
};

struct SplitOptions {
  std::vector<Share> shares;    // must sum to 1
  std::string by = "question";  // rows with the same text in this field stay together
  uint64_t seed = 0;
  std::map<std::string, int64_t> sample;  // the most texts of a part, by its name; default: all
};

struct Part {
  std::string name;
  std::vector<size_t> rows;  // in input order
  int64_t texts = 0;         // distinct texts
};

// Splits rows with these texts into parts, in the order of the shares. The part of a row depends
// only on a hash of its text and the seed: rows with one text stay together, and adding a question
// moves no other row. A sampled part keeps the texts with the smallest hashes, so a larger sample
// contains the smaller one. Warns of parts, before a sample of them, whose rows miss their share by
// more than a third of it, and names the seed below 100 that comes closest. Throws InputError with
// `where` for a part without rows.
std::vector<Part> split_texts(std::span<const std::string> texts, const SplitOptions& options,
                              const std::string& where);

// Splits answers by their question or passage. Also throws InputError for an answer without that
// field.
std::vector<Part> split_answers(std::span<const Answer> answers, const SplitOptions& options,
                                const std::string& where);

struct SplitRows {
  std::vector<Json> rows;
  std::vector<Part> parts;  // of these rows
};

// Splits rows that need not be answers by the text of their field options.by; the rows stay as they
// are. Throws InputError as visit_rows() and split_texts() do, for a row without that text, and for
// a file without rows.
SplitRows split_rows(const std::filesystem::path& file, const InputFormat& format,
                     const SplitOptions& options);

}  // namespace rubric::data
