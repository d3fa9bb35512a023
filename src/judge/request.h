// The request to a judge: its prompt, its messages, and the key under which a ledger stores it.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"

namespace rubric::judge {

struct Message {
  std::string role, content;
};

// Reads the criteria, which are the judge's system message: the text of a file without trailing
// white space or, for a result file of CHIE's authors, the prompt that it quotes. Throws InputError
// when there is none.
std::string read_judge_prompt(const std::filesystem::path& file);

// Whether the criteria are CHIE's, as the authors published them or as rubric ships them in its own
// words, or unknown (""), as with recorded replies.
bool is_chie_prompt(const std::string& prompt);

// Whether each row must have a passage: CHIE's criteria and rubric's preference prompt speak of it.
// Under other criteria a row without passage is asked about without one.
bool needs_passage(const std::string& prompt);

// Two messages: the criteria, and passage, question, reference and candidate in the form that the
// authors sent. With unknown criteria ("") only the second message. Of several references CHIE's
// criteria send the first, others all, numbered from 1. An empty passage is left out.
std::vector<Message> judge_messages(const std::string& prompt, const data::Answer& answer);

// "Passage: …\nQuestion: …\n", without the first line where there is no passage.
std::string passage_and_question(const data::Answer& answer);

// The messages in the form of chat completions: [{"role", "content"}, …].
Json to_json(const std::vector<Message>& messages);

// A JSON object as a ledger stores it: on one line, its members sorted. Throws InputError, naming
// `where`, for anything else.
std::string judge_parameters(const std::string& text, const std::string& where);

// SHA-256 of judge, parameters (a JSON object on one line; "": unknown, treated as none) and
// messages: equal requests have equal keys.
std::string request_key(const std::string& judge, const std::string& parameters,
                        const std::vector<Message>& messages);

// The prompt files that come with rubric, in its own words, for read_judge_prompt(): CHIE's four
// criteria with the form of the reply, and which of two answers is better. They are beside the
// program, built or installed. Throw InputError when a file is missing.
std::filesystem::path default_judge_prompt();
std::filesystem::path default_preference_prompt();

}  // namespace rubric::judge
