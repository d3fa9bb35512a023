// What of a judge's reply is its answer, whatever the parser: the text after the model's thinking,
// and the JSON object in that text.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "core/json/json.h"

namespace rubric::judge {

// The text after the last tag that ends thinking ("</think>", "[/THINK]", "<|END_THINKING|>", …),
// which needs no opening tag, and before a tag that opens thinking again. A tag is known by its
// form: "think" or a word such as "analysis" between angle brackets, with a prefix or attributes.
// A tag inside a JSON value, or an opening one behind a quotation mark, is text.
// "<think>Agree?</think> 1. Agree" gives "1. Agree"; a reply that was truncated within its thinking
// gives "".
std::string_view answer_text(std::string_view reply);

// Whether the reply ends inside its thinking: a tag opens it and none ends it.
bool ends_in_thinking(std::string_view reply);

// The value of a whole text; nullopt unless it is valid JSON.
std::optional<Json> parsed_json(std::string_view text);

// Whether a part of the answer is JSON, valid or not: an object with a key or a list of objects,
// anywhere; or a list of other values on lines that hold nothing else. Such an answer is read by
// its keys or not at all: the order of its words says nothing.
bool holds_json(std::string_view answer);

// The JSON objects and lists of an answer behind the last that is not valid, in their order: drafts
// may precede the last, and Markdown fences or sentences surround them.
std::vector<Json> answer_json(std::string_view answer);

}  // namespace rubric::judge
