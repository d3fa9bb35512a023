// Ids of rationale rows by what they ask, for outputs that were published without them.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "data/rationales/readers.h"

namespace rubric::data {

// A question and its choices, or premise and hypothesis, without the blanks around them; and the
// ids of the rows that ask it, most often one.
using AskedIds = std::map<std::vector<std::string>, std::vector<std::string>>;

// Of a file of rationale rows. Throws InputError as read_rationales() does.
AskedIds read_asked_ids(const std::filesystem::path& file);

// Of the row that asks the same as `row`; "" where there is none. Throws InputError for several.
std::string asked_id(const AskedIds& ids, const Json& row, const std::string& where);

// What task models wrote, as pairs of label and rationale (REV, Chen et al. 2022, section 3.2).

// XY*->R: "RATIONALE". X->YR: "LABEL [rationale] RATIONALE". X->RY: "RATIONALE [answer] LABEL", the
// label being chosen later, among the choices. Y*;B: the vacuous rationale, which no model wrote.
enum class OutputKind { xy_r, x_yr, x_ry, vacuous };

struct TaskOutput {
  std::string label;      // of X->YR; else ""
  std::string rationale;  // up to the next mark, as the published code takes it
  bool is_cut = false;    // there was more of the rationale, behind a mark that does not end it
  std::string problem;    // why this is no pair; "": nothing
};

// Of a text of another kind than Y*;B. Before its first part may stand the mark of that part.
TaskOutput parse_task_output(OutputKind kind, std::string_view text);

// The choice that a model's label means: equal to it without the blanks around, else in lower case
// and with single blanks; "" where there is none.
std::string choice_meant(std::string_view label, const std::vector<std::string>& choices);

struct TaskOutputs {
  RationaleSet set;        // its records have the gold label where the label is not chosen yet
  std::vector<Json> rows;  // of set.records, in their order
  std::vector<std::string> cut;  // ids of rationales that are cut
};

// The pairs of a file of rationale rows with what a model wrote in `field`, or of the published
// outputs. A row keeps whatever is not of the pair that it was before: that one's label, rationale,
// baseline (but for Y*;B), simulators' choices, their likelihoods and REV go. What cannot be parsed
// is in set.unusable. Throws InputError, naming file:line and id, for a row without gold label,
// text or, for Y*;B, baseline, for a baseline of another label than the gold one, as rationale_of()
// does, and for an id that is there twice.
// The published outputs, which have no ids, get those of `ids` (what it lacks is in set.unusable),
// without it their numbers; `ids` for rows that have their own is an InputError.
TaskOutputs read_task_outputs(const std::filesystem::path& file, OutputKind kind,
                              const std::string& field,
                              const std::optional<AskedIds>& ids = std::nullopt);

// The form in which REV's authors published what task models wrote.

// Whether it is {"input", "gold", "predictions"} and no rationale row.
bool is_published_output(const Json& row);

// As a rationale row: "id", what "input" says ("[question] … [choice] … [answer]", or "[premise] …
// [hypothesis] … [answer]"), "choices", "gold", and the first prediction as "generated". Throws
// InputError for an input without these parts and for a row without a prediction.
Json published_output_row(const Json& row, const std::string& id, OutputKind kind,
                          const std::string& where);

// Texts with the marks of REV's task models in them (Chen et al. 2022, Table 4).

struct MarkedPart {
  std::string mark;  // that stands before the text: "[rationale]"; "" of the first part
  std::string text;  // without the blanks around it
};

// The parts of a text up to its first <eos>, at [question], [choice], [premise], [hypothesis],
// [answer] and [rationale]. The first, which may be empty, has no mark.
std::vector<MarkedPart> split_at_marks(std::string_view text);

}  // namespace rubric::data
