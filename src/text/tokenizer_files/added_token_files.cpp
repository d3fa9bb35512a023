#include <algorithm>
#include <string_view>

#include "core/error.h"
#include "core/json/json.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {
namespace {

struct NewToken {
  std::string content;
  int64_t id;
  bool extends;  // has a new id
};

// The tokens that are not added tokens yet, with their ids.
std::vector<NewToken> tokens_to_add(const std::vector<std::string>& contents,
                                    const GenerationTokenizer& tokenizer) {
  std::vector<NewToken> tokens;
  int64_t next_id = tokenizer.size();
  for (const std::string& content : contents) {
    const auto is_same = [&](const NewToken& token) { return token.content == content; };
    if (std::ranges::any_of(tokens, is_same)) continue;
    check_token(content, "the token to add " + json_quote(content));
    const int64_t id = tokenizer.find(content);
    if (id < 0) {
      tokens.push_back({content, next_id++, true});
    } else if (!tokenizer.is_added_token(id)) {
      tokens.push_back({content, id, false});
    }
  }
  return tokens;
}

std::string* find_file(NamedFiles& files, std::string_view name) {
  const auto has_name = [&](const auto& file) { return file.first == name; };
  const auto found = std::ranges::find_if(files, has_name);
  return found == files.end() ? nullptr : &found->second;
}

Json parse_object(const std::string& text, const std::string& name) {
  Json object = Json::parse(text, name);
  if (object.is_object()) return object;
  throw InputError(std::string("an object is needed, found ") + object.kind(), name,
                   kUseOriginalTokenizer);
}

// The entry of a token in the files; it is found in normalised text.
Json entry_of(const NewToken& token, Json::Object first) {
  first.emplace_back("content", token.content);
  for (const char* const flag : {"single_word", "lstrip", "rstrip"})
    first.emplace_back(flag, false);
  first.emplace_back("normalized", true);
  first.emplace_back("special", false);
  return first;
}

bool is_listed(const Json& entry, const std::string& content) {
  const Json* const found = entry.find("content");
  return found != nullptr && found->is_string() && found->string() == content;
}

void extend_tokenizer_json(const std::vector<NewToken>& tokens, std::string& text) {
  const std::string name = "tokenizer.json";
  Json tokenizer = parse_object(text, name);
  tokenizer.require_array("added_tokens", name);
  Json::Array& list = tokenizer["added_tokens"].array();
  for (const NewToken& token : tokens) {
    const auto is_it = [&](const Json& entry) { return is_listed(entry, token.content); };
    if (std::ranges::any_of(list, is_it)) continue;
    const auto is_behind = [&](const Json& entry) {
      return entry.require_integer("id", name) > token.id;
    };
    list.insert(std::ranges::find_if(list, is_behind), entry_of(token, {{"id", token.id}}));
  }
  text = tokenizer.dump(2) + "\n";
}

// Returns false if the configuration lists no tokens.
bool extend_tokenizer_config(const std::vector<NewToken>& tokens, std::string& text) {
  const std::string name = "tokenizer_config.json";
  Json config = parse_object(text, name);
  if (config.find("added_tokens_decoder") == nullptr) return false;
  read_added_tokens_decoder(config, name);  // checks the list
  Json& decoder = config["added_tokens_decoder"];
  for (const NewToken& token : tokens) {
    Json& entry = decoder[std::to_string(token.id)];
    if (entry.is_null()) entry = entry_of(token, {});
  }
  text = config.dump(2) + "\n";
  return true;
}

void extend_added_tokens_json(const std::vector<NewToken>& tokens, std::string& text) {
  Json ids = parse_object(text, "added_tokens.json");
  for (const NewToken& token : tokens) ids[token.content] = token.id;
  text = ids.dump(2) + "\n";
}

}  // namespace

NamedFiles with_added_tokens(NamedFiles files, const std::vector<std::string>& tokens,
                             const GenerationTokenizer& tokenizer) {
  std::vector<NewToken> added = tokens_to_add(tokens, tokenizer);
  if (added.empty()) return files;
  if (std::string* const text = find_file(files, "tokenizer.json")) {
    extend_tokenizer_json(added, *text);
  }
  std::string* const config = find_file(files, "tokenizer_config.json");
  if (config != nullptr && extend_tokenizer_config(added, *config)) {
    std::erase_if(added, [](const NewToken& token) { return !token.extends; });
  }
  if (find_file(files, "added_tokens.json") == nullptr) {
    files.emplace_back("added_tokens.json", "{}");
  }
  extend_added_tokens_json(added, *find_file(files, "added_tokens.json"));
  return files;
}

}  // namespace rubric::text
