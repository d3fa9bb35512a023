// What the readers of multiple-choice data sets, on which LERC is pre-trained, have in common.
// list.h has them all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "data/records.h"

namespace rubric::data {

// Number of questions that a reader dropped, by reason: 'RACE questions without "?"' → 12.
using Dropped = std::map<std::string, int64_t>;

struct ChoiceSet {
  std::vector<ChoiceQuestion> questions;  // in file order
  Dropped dropped;
};

// A published data set.
struct ChoiceReader {
  std::string_view name;     // its files are questions.NAME.train and .dev of a configuration
  std::string_view summary;  // one line, with the source
  const char* files;         // what a path names, for the reference of a configuration's keys
  // Reads the file or directory that a path names. Throws InputError naming the file.
  ChoiceSet (*read)(const std::filesystem::path& path);
  // All files that a path stands for; null: the one that it names.
  std::vector<std::filesystem::path> (*files_of)(const std::filesystem::path& path) = nullptr;
};

// The source of the questions of a file or directory, such as "race/train".
std::string source_name(const std::string& data_set, const std::filesystem::path& path);

// The index of the option that a letter names: 0 for "A". Throws InputError with `where` when it is
// not the letter of one of `options` options.
size_t option_of_letter(const std::string& letter, size_t options, const std::string& where);

// Sets the answers of the question to `options`, of which only number `correct` is correct.
void set_answers(ChoiceQuestion& question, const std::vector<std::string>& options, size_t correct);

// Throws InputError when no question was read or dropped.
void require_questions(const ChoiceSet& set, const std::filesystem::path& path);

}  // namespace rubric::data
