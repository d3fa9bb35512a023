// What a judge is asked: the messages of one request, and the name that they have in a ledger.
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

// The criteria, a judge's system message: the text of a file without the blanks and line ends
// behind it or, of a result file that CHIE's authors published, the prompt that it quotes. Throws
// InputError when there is none.
std::string read_judge_prompt(const std::filesystem::path& file);

// The criteria, and passage, question, first reference and candidate in the form that the authors
// sent. Without criteria ("": they are not known) the second message alone.
std::vector<Message> judge_messages(const std::string& prompt, const data::Answer& answer);

// The messages as the chat completions interface has them: [{"role", "content"}, …].
Json to_json(const std::vector<Message>& messages);

// A JSON object as a ledger keeps it: in one line, its members in order. Throws InputError, naming
// `where`, for what is none.
std::string judge_parameters(const std::string& text, const std::string& where);

// SHA-256 of judge, parameters (an object in one line; "": unknown, as if there were none) and
// messages: the same for the same request.
std::string request_key(const std::string& judge, const std::string& parameters,
                        const std::vector<Message>& messages);

// The prompts that come with rubric, in its own words.

// CHIE's four criteria and the form of the reply; of which of two answers is better. Files that
// read_judge_prompt() takes, beside the program, built or installed. Throws InputError when they
// are not there.
std::filesystem::path default_judge_prompt();
std::filesystem::path default_preference_prompt();

}  // namespace rubric::judge
