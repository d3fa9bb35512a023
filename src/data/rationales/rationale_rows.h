// Rows of rationales, JSON lines: what the readers of published data sets are turned into, what the
// parts of REV add their fields to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric::data {

// Whether every row must have a baseline rationale, as to score it.
enum class Baselines { required, optional };

// What keeps a record from being used, as "the rationale is empty"; "" for a sound one: it has a
// question, or premise and hypothesis but not both; a label and a rationale; where there are
// choices each stands once, and label and, where known, gold are among them.
std::string rationale_problem(const Rationale& record);

// "NAME TEXT is not among the choices …"; "" where it is.
std::string choice_problem(const std::string& name, const std::string& text,
                           const std::vector<std::string>& choices);

// The same of the rationale alone: whether there is one.
std::string rationale_text_problem(const Rationale& record);

// {"id", "question" | "premise" + "hypothesis", "choices", "label", "gold", "rationale",
// "baseline"}, without what the record does not have.
Json rationale_row(const Rationale& record);

// The record of a row, whose number is its id where it has none. Throws InputError, naming line and
// id, for a record with a problem, a field of another type, and a baseline that is missing or empty
// where one is required.
Rationale rationale_of(const Json& row, int64_t number, const std::string& line,
                       Baselines baselines = Baselines::optional);

// The rows of a file, in order: records[i] is of rows[i], which stands at wheres[i].
struct WholeRationales {
  std::vector<Rationale> records;
  std::vector<Json> rows;           // whole: with whatever else the file has
  std::vector<std::string> wheres;  // "file:line: ID", for messages
};

// Throws InputError as rationale_of() does, and for an id that is there twice and a file without
// rows.
WholeRationales read_rationales(const std::filesystem::path& file);

// A share of a data set's rationales, drawn at random: a sample to train on, or a part to tune on.

struct RationaleSample {
  std::vector<Rationale> drawn, rest;  // each in the order of the records
};

// Draws `share` (above 0, below 1) of the records, rounded down: those whose id has the least hash
// with the seed, so that a larger sample holds the smaller one.
RationaleSample draw_rationales(std::span<const Rationale> records, double share, uint64_t seed);

}  // namespace rubric::data
