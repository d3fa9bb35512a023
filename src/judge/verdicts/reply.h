// What of a judge's reply is its answer, whatever the parser: the text after the model's thinking,
// and the JSON object in that text.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace rubric::judge {

// The text without thinking: without what stands from a tag that opens it ("<think>", "[THINK]",
// "<|START_THINKING|>", …) to one that ends it, or to the end of the reply, and without all that
// precedes a tag that ends thinking which no tag opens. A tag is known by its
// form: "think" or a word such as "analysis" between angle brackets, with a prefix or attributes.
// A tag inside a JSON value, or an opening one behind a quotation mark, is text.
// "<think>Agree?</think> 1. Agree" gives "1. Agree"; a reply that was truncated within its thinking
// gives "".
std::string answer_text(std::string_view reply);

// Whether the reply ends inside its thinking: a tag opens it and none ends it.
bool ends_in_thinking(std::string_view reply);

// The value of a whole text; nullopt unless it is valid JSON.
std::optional<Json> parsed_json(std::string_view text);

// The JSON objects and lists of an answer that concern the judgement, behind the last of them that
// is not valid, in their order: drafts may precede the last, and Markdown fences or sentences
// surround them. An object with a key or a list of objects may be anywhere, a list of four other
// values has lines to itself. nullopt if none, valid or not, concerns the judgement: the answer is
// prose. Otherwise it is read by its keys or not at all: the order of its words says nothing.
std::optional<std::vector<Json>> answer_json(std::string_view answer,
                                             bool (*concerns)(std::string_view));

}  // namespace rubric::judge
