// How many tokens a request takes, as far as one can tell without the judge's tokenizer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "judge/request.h"

namespace rubric {

// About how many tokens a text has: one for four ASCII characters, one for every other character.
int64_t estimated_tokens(std::string_view text);

// The same of messages, each with a few tokens around it.
int64_t estimated_tokens(const std::vector<Message>& messages);

// The most that a reply may have by the parameters' max_tokens or max_completion_tokens; 1024, as
// in the paper, where they have neither. Throws InputError where that is no whole number from 1 to
// 10 million.
int64_t most_reply_tokens(const std::string& parameters);

}  // namespace rubric
