// What the readers of multiple-choice data sets have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/records.h"

namespace rubric {

// Questions that a data set's rules leave out, by reason: 'RACE questions without "?"' → 12.
using Dropped = std::map<std::string, int64_t>;

struct ChoiceSet {
  std::vector<ChoiceQuestion> questions;  // in file order
  Dropped dropped;
};

// "race/train": the name that the questions of a file or folder carry as their source.
std::string source_name(const std::string& data_set, const std::filesystem::path& path);

// The place in an array of options that a letter names: 0 for "A". Throws InputError with `where`
// when it is no letter of one of `options` options.
size_t option_of_letter(const std::string& letter, size_t options, const std::string& where);

// The question with `options` as its answers, of which only number `correct` is right.
void set_answers(ChoiceQuestion& question, const std::vector<std::string>& options, size_t correct);

// Throws InputError when nothing was read or dropped.
void require_questions(const ChoiceSet& set, const std::filesystem::path& path);

}  // namespace rubric
