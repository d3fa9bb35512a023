// The figures of the REV suite, to be read.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "eval/rev/human_agreement.h"
#include "eval/rev/rev_suite.h"
#include "eval/report/table.h"

namespace rubric {

inline constexpr const char* kNotScored = "not scored";

// With so many decimals; with two digits and an exponent where those would show 0 for what is not.
std::string rev_text(double value, int decimals);

// REV, LAS and RQ by kind; what is behind them; and with humans their scores beside the kinds'
// ranks by each metric, and how well each metric agrees with them.
std::vector<Table> rev_tables(const RevEvaluation& evaluation,
                              const std::optional<RevHumans>& humans);

}  // namespace rubric
