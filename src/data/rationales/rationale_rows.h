// Rows of rationales (JSON lines), to which readers convert the published data sets and the steps
// of REV add their fields; checks of them, and random samples.
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric::data {

// Whether every row must have a baseline rationale; scoring needs it.
enum class Baselines { required, optional };

// Why a record cannot be used, such as "the rationale is empty", or "" for a valid record: it has
// either a question or premise and hypothesis, a label and a rationale; its choices, if any, are
// distinct and contain the label and, if known, the gold label.
std::string rationale_problem(const Rationale& record);

// "NAME TEXT is not among the choices …", or "" if it is among them.
std::string choice_problem(const std::string& name, const std::string& text,
                           const std::vector<std::string>& choices);

// As rationale_problem(), but checks only that there is a rationale.
std::string rationale_text_problem(const Rationale& record);

// {"id", "question" | "premise" + "hypothesis", "choices", "label", "gold", "rationale",
// "baseline"}, without fields that the record lacks.
Json rationale_row(const Rationale& record);

// Reads the record of a row; the default id is `number`. Throws InputError, naming line and id, for
// a record with a problem, a field of a wrong type, and a missing or empty baseline where one is
// required.
Rationale rationale_of(const Json& row, int64_t number, const std::string& line,
                       Baselines baselines = Baselines::optional);

// The rows of a file, in order: records[i] is read from rows[i] at places[i].
struct RationaleRows {
  std::vector<Rationale> records;
  std::vector<Json> rows;           // with all their fields
  std::vector<std::string> places;  // "file:line: ID", for messages
};

// Throws InputError as rationale_of() does, and for a repeated id and a file without rows.
RationaleRows read_rationales(const std::filesystem::path& file);

struct RationaleSample {
  std::vector<Rationale> drawn, rest;  // both in the order of the records
};

// Draws the fraction `share` (0 < share < 1) of the records, rounded down, to train or tune on:
// those whose id has the smallest hash with the seed, so that a larger sample contains the smaller
// one.
RationaleSample draw_rationales(std::span<const Rationale> records, double share, uint64_t seed);

}  // namespace rubric::data
