// Rows of rationales with their vacuous rationales, and what a converter makes such of.
#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "core/json/json.h"
#include "data/rows/input_format.h"
#include "data/vacuous_rationales/vacuous_rationales.h"

namespace rubric::data {

// How the vacuous rationales of a file were made.
struct VacuousCounts {
  int64_t rows = 0, by_template = 0, by_statement = 0;
  std::array<int64_t, kStatementRules> by_rule = {};
  std::vector<std::string> plain;  // rows whose question fits no rule: its answer follows it
};

// Writes the rows of `input` to `output`, JSON lines that appear whole or not at all, each with its
// vacuous rationale as "baseline" and how it was made as "baseline_by": "rules" of a question,
// "template" of a premise and a hypothesis, or "statements", which a converter wrote into that file
// ("": none). Throws InputError as visit_rows() and read_statements() do, for rows without a
// statement, and for a row that has another baseline.
VacuousCounts add_vacuous_rationales(const std::filesystem::path& input, InputFormat format,
                                     const std::filesystem::path& statements,
                                     const std::filesystem::path& output);

// "baselines|rules:place=3,plain=1|rubric:…"
std::string vacuous_signature(const VacuousCounts& counts, const std::filesystem::path& statements);

// Each question with its label once, as {"question_text", "answer_text"}, for a converter. Throws
// InputError for a row of a premise and a hypothesis, and for a file without rows.
std::vector<Json> converter_rows(const std::filesystem::path& input, InputFormat format);

}  // namespace rubric::data
