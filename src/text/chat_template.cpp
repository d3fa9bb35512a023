#include "text/chat_template.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/error.h"
#include "core/files/embedded.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "text/tokenizer_files/token_entries.h"
#include "text/unicode/unicode.h"

namespace rubric::text {
namespace {

constexpr const char* kTable = "text/chat_template.tsv";

// The row of a section that begins with `name`; nullopt: none.
std::optional<Cells> find_row(std::string_view section, std::string_view name) {
  for (Cells& row : embedded_rows(kTable, section)) {
    if (row.at(0) == name) return std::move(row);
  }
  return std::nullopt;
}

InputError unusable(const std::string& what, const std::string& where) {
  std::vector<std::string> families = chat_template_choices();
  families.erase(families.begin(), families.begin() + 2);
  return InputError(what, where,
                    "name what it writes: --chat-template FAMILY, one of " + join(families));
}

// The template of tokenizer_config.json; nullopt: none.
std::optional<std::string> template_in(const TokenizerSettings& settings) {
  const Json* const value = settings.config.find("chat_template");
  if (value == nullptr || value->is_null()) return std::nullopt;
  const std::string where = settings.config_file + ": chat_template";
  if (value->is_string()) return value->string();
  if (value->is_array()) {
    for (const Json& named : value->array()) {
      if (named.require_string("name", where) == "default") {
        return named.require_string("template", where);
      }
    }
  }
  throw unusable("there is no template, and no list of templates with the name \"default\"", where);
}

std::string family_in(const std::filesystem::path& model_directory,
                      const TokenizerSettings& settings) {
  const std::filesystem::path file = model_directory / "chat_template.jinja";
  const bool has_file = is_there(file, "fetch the model again");
  const auto found = has_file ? std::optional(read_file(file)) : template_in(settings);
  if (!found) throw unusable("the model has no chat template", model_directory.string());
  // Jinja drops a line's end behind a template, and so do some converters.
  for (const std::string& text : {*found, *found + "\n"}) {
    if (const auto row = find_row("templates", sha256(text))) return row->at(1);
  }
  throw unusable("the chat template, of the SHA-256 " + sha256(*found) + ", is not a known one",
                 has_file ? file.string() : settings.config_file);
}

std::string_view strip_line_ends(std::string_view text, bool at_begin, bool at_end) {
  while (at_begin && text.starts_with('\n')) text.remove_prefix(1);
  while (at_end && text.ends_with('\n')) text.remove_suffix(1);
  return text;
}

constexpr std::string_view kThink = "<think>", kEndThink = "</think>";

// An assistant's text of Qwen 3: what precedes </think> was thought.
std::string without_thoughts(std::string_view text, std::string_view& thoughts) {
  const size_t first = text.find(kEndThink);
  if (first == text.npos) return std::string(text);
  thoughts = strip_line_ends(text.substr(0, first), false, true);
  if (const size_t begin = thoughts.rfind(kThink); begin != thoughts.npos) {
    thoughts.remove_prefix(begin + kThink.size());
  }
  thoughts = strip_line_ends(thoughts, true, true);
  return std::string(
      strip_line_ends(text.substr(text.rfind(kEndThink) + kEndThink.size()), true, false));
}

bool is_tool_response(std::string_view text) {
  return text.starts_with("<tool_response>") && text.ends_with("</tool_response>");
}

// The messages as Qwen 3's template has them: the assistant's behind the last question keep their
// thoughts, where the last message always has some, and the others lose them.
std::vector<ChatMessage> with_last_thoughts(std::span<const ChatMessage> messages) {
  size_t question = messages.size() - 1;
  for (size_t i = messages.size(); i-- > 0;) {
    if (messages[i].role != ChatRole::user || is_tool_response(messages[i].text)) continue;
    question = i;
    break;
  }
  std::vector<ChatMessage> changed(messages.begin(), messages.end());
  for (size_t i = 0; i < messages.size(); ++i) {
    if (messages[i].role != ChatRole::assistant) continue;
    std::string_view thoughts;
    std::string text = without_thoughts(messages[i].text, thoughts);
    if (i > question && (i + 1 == messages.size() || !thoughts.empty())) {
      text = std::string(kThink) + "\n" + std::string(thoughts) + "\n" + std::string(kEndThink) +
             "\n\n" + std::string(strip_line_ends(text, true, false));
    }
    changed[i].text = std::move(text);
  }
  return changed;
}

}  // namespace

std::vector<std::string> chat_template_choices() {
  std::vector<std::string> names = {"none", "auto"};
  for (const Cells& row : embedded_rows(kTable, "families")) names.push_back(row.at(0));
  return names;
}

ChatTemplate::ChatTemplate(const std::filesystem::path& model_directory,
                           const std::string& family) {
  const TokenizerSettings settings = read_tokenizer_settings(model_directory);
  family_ = family == "auto" ? family_in(model_directory, settings) : family;
  auto row = find_row("families", family_);
  if (!row) throw unusable("there is no chat template " + json_quote(family), "--chat-template");
  for (std::string& cell : *row) {
    replace_all(cell, "{bos}", named_token(settings, "bos_token", ""));
    replace_all(cell, "{eos}", named_token(settings, "eos_token", ""));
  }
  system_place_ = row->at(1);
  traits_ = " " + row->at(2) + " ";
  begin_ = row->at(3);
  for (const auto& [role, cell] :
       {std::pair(ChatRole::user, size_t{4}), {ChatRole::assistant, 6}, {ChatRole::system, 8}}) {
    turns_[static_cast<size_t>(role)] = {row->at(cell), row->at(cell + 1)};
  }
  prompt_ = row->at(10);
  end_ = row->at(11);
  if (const auto usual = find_row("default_systems", family_)) default_system_ = usual->at(1);
  const auto first = find_row("first_systems", family_);
  before_first_system_ = first ? first->at(1) : turns_[0].before;
}

bool ChatTemplate::has(std::string_view trait) const {
  return traits_.find(" " + std::string(trait) + " ") != std::string::npos;
}

void ChatTemplate::check(std::span<const ChatMessage> messages, const std::string& where) const {
  constexpr const char* kNames[] = {"system", "user", "assistant"};
  const bool has_turns = system_place_ == "turn";  // of system messages
  const bool has_system = !messages.empty() && messages[0].role == ChatRole::system;
  const size_t first = has_system && !has_turns ? 1 : 0;
  if (messages.size() <= first) {
    throw InputError("the conversation has no message of a user", where, "give one");
  }
  if (has_system && system_place_ == "none") {
    throw InputError("the chat template " + family_ + " has no place for a system message", where,
                     "put its text before the user's");
  }
  if (has_system && system_place_ == "last" && messages.back().role != ChatRole::user) {
    throw InputError("the chat template " + family_ +
                         " puts a system message before the last message, which is no user's",
                     where, "end the conversation with a user's message");
  }
  for (size_t i = first; i < messages.size(); ++i) {
    const ChatRole role = messages[i].role;
    const ChatRole next = (i - first) % 2 == 0 ? ChatRole::user : ChatRole::assistant;
    if (has("alternates") ? role == next : has_turns || role != ChatRole::system) continue;
    throw InputError("message " + std::to_string(i + 1) + " of the conversation is of the role " +
                         kNames[static_cast<size_t>(role)],
                     where,
                     "the roles of the chat template " + family_ +
                         " are user, assistant, user, …, at most behind a system message");
  }
}

std::string ChatTemplate::text_of(const ChatMessage& message, const std::string& prefix) const {
  if (has("trims_whole")) return std::string(strip(prefix + message.text));
  const bool trims =
      has("trims") || (has("trims_assistant") && message.role == ChatRole::assistant);
  return prefix + std::string(trims ? strip(message.text) : std::string_view(message.text));
}

std::set<std::string> ChatTemplate::special_tokens() const {
  std::set<std::string> tokens;
  for (const std::string& text : {begin_, turns_[0].before, turns_[0].after, turns_[1].before,
                                  turns_[1].after, turns_[2].before, turns_[2].after, prompt_}) {
    for (size_t begin = text.find('<'); begin != text.npos; begin = text.find('<', begin + 1)) {
      const std::string token = text.substr(begin, text.find('>', begin) + 1 - begin);
      if (token.starts_with("<|") || token.ends_with("_turn>")) tokens.insert(token);
    }
  }
  return tokens;
}

std::string ChatTemplate::render(std::span<const ChatMessage> messages, bool add_prompt,
                                 const std::string& where) const {
  check(messages, where);
  std::vector<ChatMessage> changed;
  if (has("thinks")) messages = changed = with_last_thoughts(messages);
  const Turn& system = turns_[static_cast<size_t>(ChatRole::system)];
  std::string text = begin_, prefix;
  if (messages[0].role == ChatRole::system) {
    if (system_place_ == "turn") {
      text += before_first_system_ + text_of(messages[0]) + system.after;
    } else {
      prefix = system.before + messages[0].text + system.after;
    }
    messages = messages.subspan(1);
  } else if (default_system_) {
    text += before_first_system_ + *default_system_ + system.after;
  }
  const size_t place = system_place_ == "last" ? messages.size() - 1 : 0;
  for (size_t i = 0; i < messages.size(); ++i) {
    const ChatMessage& message = messages[i];
    const Turn& turn = turns_[static_cast<size_t>(message.role)];
    const bool is_place = i == place && message.role == ChatRole::user;
    text += turn.before + text_of(message, is_place ? prefix : "") + turn.after;
  }
  return text + (add_prompt ? prompt_ : end_);
}

}  // namespace rubric::text
