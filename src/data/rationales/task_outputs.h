// Outputs of REV's task models as pairs of label and rationale, in our rows or as REV's authors
// published them.
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

// The ids of rationale rows by their input (question and choices, or premise and hypothesis,
// trimmed), for outputs that were published without ids. Usually one id for each input.
using InputIds = std::map<std::vector<std::string>, std::vector<std::string>>;

// Reads a file of rationale rows. Throws InputError as read_rationales() does.
InputIds read_input_ids(const std::filesystem::path& file);

// The id of the row with the same input as `row`; "" if there is none. Throws InputError if there
// are several.
std::string input_id(const InputIds& ids, const Json& row, const std::string& where);

// What a task model generates (REV, Chen et al. 2022, section 3.2). XY*->R: "RATIONALE". X->YR:
// "LABEL [rationale] RATIONALE". X->RY: "RATIONALE [answer] LABEL", where the label is chosen later
// among the choices. Y*;B: the vacuous rationale, which no model generates.
enum class OutputKind { xy_r, x_yr, x_ry, vacuous };

struct TaskOutput {
  std::string label;          // only of X->YR, else ""
  std::string rationale;      // up to the next mark, as in the published code
  bool is_truncated = false;  // text follows behind a mark that does not end the rationale
  std::string problem;        // why this is not a pair; "": it is
};

// Parses a text of a kind other than Y*;B. The mark of the first part may precede it.
TaskOutput parse_task_output(OutputKind kind, std::string_view text);

// The choice that a model's label means: the choice equal to it after trimming, else in lower case
// with single spaces; "" if there is none.
std::string choice_meant(std::string_view label, const std::vector<std::string>& choices);

struct TaskOutputs {
  RationaleSet set;        // records have the gold label while the label is not chosen yet
  std::vector<Json> rows;  // of set.records, in the same order
  std::vector<std::string> truncated;  // ids of truncated rationales
};

// Reads the pairs of a file of rationale rows with the model's text in `field`, or of the published
// outputs. A row loses the fields of its former pair (label, rationale, baseline except for Y*;B,
// simulators' choices, their likelihoods, REV) and keeps all others. Texts that cannot be parsed
// are in set.unusable. Throws InputError, naming file:line and id, for a row without gold label,
// text or, for Y*;B, baseline, for a baseline of a label other than gold, as rationale_of() does,
// and for a repeated id. Published outputs, which have no ids, get those of `ids` (rows that it
// lacks are in set.unusable) or, without `ids`, their numbers; `ids` for rows with ids is an
// InputError.
TaskOutputs read_task_outputs(const std::filesystem::path& file, OutputKind kind,
                              const std::string& field,
                              const std::optional<InputIds>& ids = std::nullopt);

// Whether a row has the form in which REV's authors published outputs, {"input", "gold",
// "predictions"}.
bool is_published_output(const Json& row);

// Converts it to a rationale row: "id", the parts of "input" ("[question] … [choice] … [answer]" or
// "[premise] … [hypothesis] … [answer]"), "choices", "gold", and the first prediction as
// "generated". Throws InputError for an input without these parts and for a row without prediction.
Json published_output_row(const Json& row, const std::string& id, OutputKind kind,
                          const std::string& where);

// A part of a text with the marks of REV's task models (Chen et al. 2022, Table 4).
struct MarkedPart {
  std::string mark;  // precedes the text: "[rationale]"; "" for the first part
  std::string text;  // trimmed
};

// Splits a text, up to its first <eos>, at [question], [choice], [premise], [hypothesis], [answer]
// and [rationale]. The first part, which may be empty, has no mark.
std::vector<MarkedPart> split_at_marks(std::string_view text);

}  // namespace rubric::data
