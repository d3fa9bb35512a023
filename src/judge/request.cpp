#include "judge/request.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>

#include "core/error.h"
#include "core/files/files.h"
#include "core/files/shipped_files.h"
#include "core/hash.h"
#include "core/text/utf8.h"

namespace rubric::judge {

namespace {

// The start of a published result file, and the text around the prompt in it.
constexpr std::string_view kResult = "XQuAD score\n";
constexpr std::string_view kPromptFollows = "\nSystem prompt:\n";
constexpr std::string_view kPromptEnds = "\n\n";

std::string_view quoted_prompt(std::string_view result, const std::filesystem::path& file) {
  const size_t begin = result.find(kPromptFollows);
  if (begin == result.npos) {
    throw InputError("a result file of CHIE that quotes no prompt", file.string(),
                     "name one with the line \"System prompt:\", or a file that holds the prompt");
  }
  result.remove_prefix(begin + kPromptFollows.size());
  return result.substr(0, result.find(kPromptEnds));
}

std::filesystem::path shipped_prompt(const std::string& name) {
  constexpr const char* kAdvice = "name a file with --prompt, or install rubric again";
  std::filesystem::path file = shipped_path("configs/prompts/" + name);
  if (is_there(file, kAdvice)) return file;
  throw InputError("the default prompt is not there", file.string(), kAdvice);
}

}  // namespace

std::string read_judge_prompt(const std::filesystem::path& file) {
  std::string bytes = read_file(file);
  if (!is_valid_utf8(bytes)) {
    throw InputError("not UTF-8", file.string(), "convert the file to UTF-8");
  }
  // Some editors add a byte-order mark or carriage returns: the prompt is the same without them.
  constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
  if (bytes.starts_with(kByteOrderMark)) bytes.erase(0, kByteOrderMark.size());
  std::erase(bytes, '\r');
  std::string_view prompt = bytes;
  if (prompt.starts_with(kResult)) prompt = quoted_prompt(prompt, file);
  prompt = prompt.substr(0, prompt.find_last_not_of(" \t\r\n") + 1);
  if (prompt.empty())
    throw InputError("the prompt is empty", file.string(), "write the prompt into it");
  return std::string(prompt);
}

bool is_chie_prompt(const std::string& prompt) {
  // SHA-256 of the prompt in the authors' result files, and of configs/prompts/chie_en.txt.
  constexpr std::array<std::string_view, 2> kHashes = {
      "018f912e2d54fd0b6910583c07226d016e42a1e276c228a25c9c4bd8f47367c8",
      "5ca817d88f5ef4b17a52dd981a250e7f34e21fff09aaaf26763a77fc05f96d75"};
  return prompt.empty() || std::ranges::count(kHashes, sha256(prompt)) > 0;
}

bool needs_passage(const std::string& prompt) {
  // SHA-256 of configs/prompts/preference_en.txt.
  constexpr const char* kPreference =
      "da57eb19a3823816144f567a7d495d82f0c160942734c0a492da73aa0b26bc67";
  return is_chie_prompt(prompt) || sha256(prompt) == kPreference;
}

std::string passage_and_question(const data::Answer& answer) {
  return (answer.passage.empty() ? "" : "Passage: " + answer.passage + "\n") +
         "Question: " + answer.question + "\n";
}

std::vector<Message> judge_messages(const std::string& prompt, const data::Answer& answer) {
  std::vector<Message> messages;
  if (!prompt.empty()) messages.push_back({"system", prompt});
  std::string text = passage_and_question(answer);
  const bool sends_one = answer.references.size() == 1 || is_chie_prompt(prompt);
  for (size_t i = 0; i < (sends_one ? 1 : answer.references.size()); ++i) {
    text += "Reference Answer" + (sends_one ? "" : " " + std::to_string(i + 1)) + ": \"" +
            answer.references[i] + "\"\n";
  }
  messages.push_back({"user", text + "Prediction Answer: \"" + answer.candidate + "\"\n"});
  return messages;
}

Json to_json(const std::vector<Message>& messages) {
  Json::Array list;
  for (const auto& [role, content] : messages) {
    list.emplace_back(Json::Object{{"role", role}, {"content", content}});
  }
  return list;
}

std::string judge_parameters(const std::string& text, const std::string& where) {
  Json json = Json::parse(text, where);
  if (!json.is_object()) {
    throw InputError(std::string("the parameters are ") + json.kind(), where,
                     "give an object such as {\"max_tokens\": 1024, \"temperature\": 0.2}");
  }
  std::ranges::sort(json.object(), {}, &Json::Object::value_type::first);
  return json.dump();
}

std::string request_key(const std::string& judge, const std::string& parameters,
                        const std::vector<Message>& messages) {
  const Json object =
      parameters.empty() ? Json(Json::Object()) : Json::parse(parameters, "parameters");
  return sha256(
      Json(Json::Object{{"model", judge}, {"parameters", object}, {"messages", to_json(messages)}})
          .dump());
}

std::filesystem::path default_judge_prompt() {
  return shipped_prompt("chie_en.txt");
}

std::filesystem::path default_preference_prompt() {
  return shipped_prompt("preference_en.txt");
}

}  // namespace rubric::judge
