// Readers of the multiple-choice data sets on which LERC is pre-trained: BoolQ, MCTest, MultiRC and
// RACE; first what they have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/records.h"

namespace rubric::data {

// Number of questions that a reader dropped, by reason: 'RACE questions without "?"' → 12.
using Dropped = std::map<std::string, int64_t>;

struct ChoiceSet {
  std::vector<ChoiceQuestion> questions;  // in file order
  Dropped dropped;
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

// BoolQ (Clark et al. 2019): yes/no questions.

// Reads lines {question, passage, answer: true or false}; ignores other fields and blank lines. The
// answers are "yes" and "no". Throws InputError naming file and line.
ChoiceSet read_boolq(const std::filesystem::path& jsonl);

// MCTest (Richardson et al. 2013): stories with four questions of four options each in NAME.tsv,
// and the letters of the correct options in NAME.ans.
std::filesystem::path mctest_answers(const std::filesystem::path& tsv);  // NAME.ans

// A line of NAME.tsv is tab-separated: id, properties, story, and four times a question and its
// four options; a line of NAME.ans holds four letters from A to D. Replaces the markup \newline and
// \tab by a space, and removes the "one: " and "multiple: " of questions (how many sentences they
// need). Throws InputError naming file and line.
ChoiceSet read_mctest(const std::filesystem::path& tsv);

// MultiRC (Khashabi et al. 2018): questions with any number of correct answers.

// Reads the published JSON, {"data": [{"id", "paragraph": {"text", "questions": [{"question",
// "answers": [{"text", "isAnswer"}]}]}}]}. Removes the text's markup, "<b>Sent 1: </b>…<br>". Drops
// and counts questions without a correct or without an incorrect answer. Throws InputError naming
// file, paragraph, question and answer.
ChoiceSet read_multirc(const std::filesystem::path& json);

// "<b>Sent 1: </b>It rained.<br><b>Sent 2: </b>It stopped.<br>" → "It rained. It stopped."
std::string without_sentence_markup(const std::string& text);

// RACE (Lai et al. 2017): a directory for each split with middle/ and high/, which hold one file
// for each article.

// The .txt and .json files of a directory and its subdirectories, by name. Ignores names that begin
// with a dot. Throws InputError for any other file, and when there is none.
std::vector<std::filesystem::path> race_files(const std::filesystem::path& folder);

// Each file is a JSON object {article, questions, options: four texts for each, answers: a letter
// for each}. Keeps the first two wrong options. Drops and counts questions without "?" (they have a
// blank to fill) or with fewer than two wrong options. Throws InputError naming file and question.
ChoiceSet read_race(const std::filesystem::path& folder);

}  // namespace rubric::data
