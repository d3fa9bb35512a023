// What the readers of published data sets of rationales have in common, and which of their examples
// can be used. list.h has them all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/error.h"
#include "core/json/json.h"
#include "data/records.h"

namespace rubric::data {

// An example as read from its file.
struct RationaleExample {
  Rationale record;     // label and gold are equal: the label that annotators explained
  std::string where;    // "file:line"
  std::string problem;  // why it cannot be used, as far as the reader knows; "": it can
};

struct RationaleSet {
  std::vector<Rationale> records;          // usable, in the order read
  std::vector<RationaleExample> unusable;  // each with its problem
};

// What is checked: CoS-E without its questions has only ids and rationales.
enum class Checked { whole_records, rationales };

// Separates usable from unusable examples of one file or several that belong together. An example
// without id or with a repeated id is unusable too.
RationaleSet usable_rationales(std::vector<RationaleExample> found,
                               Checked checked = Checked::whole_records);

// "PROBLEM (COUNT): ID, ID, …" for each problem, in order of first occurrence.
std::vector<std::string> list_problems(const RationaleSet& set);

// Makes an error to throw for a set with unusable examples: how many, which, and where the first
// one is.
InputError unusable_error(const RationaleSet& set);

inline constexpr int64_t kAllExplanations = 0;

// A reader has either `read` or `read_explanation`. They throw InputError naming the file.
struct RationaleReader {
  std::string_view name;
  std::string_view summary;  // one line, with the source
  std::vector<RationaleExample> (*read)(const std::filesystem::path& file) = nullptr;
  // For examples with several explanations: reads the one with this number from 1, or
  // kAllExplanations.
  std::vector<RationaleExample> (*read_explanation)(const std::filesystem::path& file,
                                                    int64_t number) = nullptr;
  // Where explanations are published without their questions: what files those are, and what adds
  // them.
  std::string_view questions = "";
  void (*add_questions)(std::vector<RationaleExample>& explanations,
                        const std::vector<std::string>& files) = nullptr;
};

// A published data set to read.
struct RationaleSource {
  std::string kind;                    // the name of its reader
  std::vector<std::string> files;      // the files of one split
  std::vector<std::string> questions;  // their files, where the reader takes them
  int64_t explanation = 1;             // its number, where the reader takes one
};

// Reads the examples of all files in order. Without the questions of a data set that lacks them its
// examples are only ids and rationales. Throws InputError when there is no example.
RationaleSet read_rationale_source(const RationaleSource& source);

// Reads a question in AI2's form, whose choices have letters (CommonsenseQA, QuaRTz):

// {"id", "question": {"stem", "choices": [{"label", "text"}, …]}, "answerKey"}. It has no rationale
// yet. An answerKey that is missing or names no choice, and a repeated letter, are the example's
// problem. Throws InputError with `where` for another form.
RationaleExample keyed_question(const Json& row, const std::string& where);

}  // namespace rubric::data
