// What the readers of multiple-choice data sets have in common.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "data/records.h"

namespace rubric::data {

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

// BoolQ (Clark et al. 2019): yes/no questions, one JSON object a line.

// A line is {question, passage, answer: true or false}, whatever else it has; blank lines are
// passed over. The answers are "yes" and "no". Throws InputError naming file and line.
ChoiceSet read_boolq(const std::filesystem::path& jsonl);

// MCTest (Richardson et al. 2013): stories with four questions of four options each, and beside
// NAME.tsv the letters of the right ones in NAME.ans.

std::filesystem::path mctest_answers(const std::filesystem::path& tsv);  // NAME.ans

// A line is tab-separated: id, properties, story, four times a question and its four options; the
// line of the answers four letters from A to D. The markup \newline and \tab becomes a blank, the
// questions' "one: " and "multiple: " (how many sentences they need) is cut. Throws InputError
// naming file and line.
ChoiceSet read_mctest(const std::filesystem::path& tsv);

// MultiRC (Khashabi et al. 2018): questions with any number of correct answers.

// The published JSON, {"data": [{"id", "paragraph": {"text", "questions": [{"question", "answers":
// [{"text", "isAnswer"}]}]}}]}. The text's markup, "<b>Sent 1: </b>…<br>", is stripped. Questions
// without both a correct and an incorrect answer are dropped and counted. Throws InputError naming
// file, paragraph, question and answer.
ChoiceSet read_multirc(const std::filesystem::path& json);

// "<b>Sent 1: </b>It rained.<br><b>Sent 2: </b>It stopped.<br>" → "It rained. It stopped."
std::string without_sentence_markup(const std::string& text);

// RACE (Lai et al. 2017): a folder for each split, in it middle/ and high/ with an article a file.

// Every .txt or .json in a folder and the folders below, by name; names that begin with a dot are
// not looked at, any other file is an InputError. Throws it too when there is none.
std::vector<std::filesystem::path> race_files(const std::filesystem::path& folder);

// A file is a JSON object {article, questions, options: four texts for each, answers: a letter for
// each}. Of the wrong options the first two are kept. Questions without "?" (they have a blank to
// fill) or with fewer wrong options are dropped and counted. Throws InputError naming file and
// question.
ChoiceSet read_race(const std::filesystem::path& folder);

}  // namespace rubric::data
