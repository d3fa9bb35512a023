// What of a judge's reply is its answer, whatever the parser: the text after the model's thinking,
// and the JSON object in that text.
#pragma once

#include <optional>
#include <string_view>

#include "core/json/json.h"

namespace rubric::judge {

// The text after the last tag that ends thinking ("</think>", "</thinking>", "[/THINK]", …), which
// needs no opening tag, and before a tag that opens thinking again. "<think>Agree?</think> 1.
// Agree" gives "1. Agree"; a reply that was truncated within its thinking gives "".
std::string_view answer_text(std::string_view reply);

// Whether the reply ends inside its thinking: a tag opens it and none ends it.
bool ends_in_thinking(std::string_view reply);

// The JSON object or array that an answer consists of, perhaps in a Markdown fence or between
// sentences; nullopt for any other text. A text that begins as an object and is not valid JSON
// gives null: its words must not be read in their order.
std::optional<Json> answer_json(std::string_view answer);

}  // namespace rubric::judge
