#include <algorithm>

#include "core/files/files.h"
#include "text/generation_fixtures.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text::added_token_files_test {

std::vector<std::string> new_tokens() {
  const Json cases = Json::parse_file(generation_fixture("cases_grown.json"));
  std::vector<std::string> tokens;
  for (const Json& token : cases.array().front().require("new", "").array()) {
    tokens.push_back(token.string());
  }
  return tokens;
}

NamedFiles files_of(const std::filesystem::path& folder) {
  NamedFiles files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    files.emplace_back(entry.path().filename().string(), read_file(entry.path()));
  }
  return files;
}

// A file's content without the model, where `tokenizers` changes last digits of scores.
Json without_model(Json json) {
  if (json.find("model") != nullptr) json["model"] = Json();
  return json;
}

// With the members of objects in order of their names.
std::string sorted_dump(const Json& json) {
  if (json.is_array()) {
    std::string text = "[";
    for (const Json& item : json.array()) text += sorted_dump(item) + ",";
    return text + "]";
  }
  if (!json.is_object()) return json.dump();
  std::vector<std::string> members;
  for (const auto& [key, value] : json.object()) {
    members.push_back(json_quote(key) + ":" + sorted_dump(value) + ",");
  }
  std::ranges::sort(members);
  return "{" + join(members, "") + "}";
}

// What adding `tokens` makes of the files of `folder`.
NamedFiles grow(const std::filesystem::path& folder, const std::vector<std::string>& tokens) {
  return with_added_tokens(files_of(folder), tokens, *open_generation_tokenizer(folder));
}

void write(const NamedFiles& files, const TemporaryFolder& folder) {
  for (const auto& [name, text] : files) folder.write(name, text);
}

TEST(GrownFiles, AreThoseThatTheReferenceSaves) {
  size_t compared = 0;
  for (const auto& [name, text] : grow(generation_fixture("saved"), new_tokens())) {
    const std::filesystem::path expected = generation_fixture("grown_" + name);
    if (!std::filesystem::exists(expected)) {
      EXPECT_EQ(text, read_file(generation_fixture("saved") / name));
      continue;
    }
    EXPECT_EQ(sorted_dump(without_model(Json::parse(text, name))),
              sorted_dump(without_model(Json::parse_file(expected))))
        << name;
    ++compared;
  }
  EXPECT_EQ(compared, 3u);
}

TEST(GrownFiles, OpenWithTheIdsOfTheReference) {
  const std::vector<std::string> tokens = new_tokens();
  std::map<std::string, TemporaryFolder> folders;
  std::map<std::string, std::unique_ptr<GenerationTokenizer>> tokenizers;
  const Json cases = Json::parse_file(generation_fixture("cases_grown.json"));
  for (const Json& one : cases.array()) {
    const std::string& name = one.require_string("tokenizer", "");
    if (!tokenizers.contains(name)) {
      write(grow(generation_fixture(name), tokens), folders[name]);
      tokenizers[name] = open_generation_tokenizer(folders[name].path());
      const auto in_memory = open_generation_tokenizer(generation_fixture(name), tokens);
      EXPECT_EQ(tokenizers[name]->fingerprint(), in_memory->fingerprint()) << name;
      EXPECT_EQ(tokenizers[name]->size(), in_memory->size()) << name;
    }
    if (one.find("ids") != nullptr) compare_case(*tokenizers[name], one);
  }
  EXPECT_EQ(tokenizers.size(), 7u);
}

TEST(GrownFiles, GrowTwice) {
  for (const char* const name : {"slow", "plain", "published", "gpt2"}) {
    SCOPED_TRACE(name);
    const TemporaryFolder folder;
    write(grow(generation_fixture(name), {"<one>"}), folder);
    const int64_t size = open_generation_tokenizer(generation_fixture(name))->size();
    write(grow(folder.path(), {"<two>", "<one>", "<two>"}), folder);
    const auto grown = open_generation_tokenizer(folder.path());
    EXPECT_EQ(grown->find("<one>"), size);
    EXPECT_EQ(grown->find("<two>"), size + 1);
    EXPECT_EQ(grown->size(), size + 2);
  }
}

TEST(GrownFiles, WithoutNewTokensStayAsTheyAre) {
  const std::filesystem::path folder = generation_fixture("saved");
  EXPECT_EQ(grow(folder, {}), files_of(folder));
  EXPECT_EQ(grow(folder, {"</s>", "<extra_id_0>"}), files_of(folder));
}

TEST(GrownFiles, DamagedOnesAreRefused) {
  const auto tokenizer = open_generation_tokenizer(generation_fixture("plain"));
  const auto message_of = [&](const char* name, const char* text, const char* token) {
    return input_error([&] { with_added_tokens({{name, text}}, {token}, *tokenizer); });
  };
  expect_says(message_of("tokenizer.json", "[]", "<new>"), {"tokenizer.json", "an object"});
  expect_says(message_of("tokenizer.json", "{}", "<new>"), {"added_tokens"});
  expect_says(message_of("tokenizer.json", R"({"added_tokens": [1]})", "<new>"), {"an object"});
  expect_says(message_of("tokenizer_config.json", R"({"added_tokens_decoder": 1})", "<new>"),
              {"added_tokens_decoder"});
  expect_says(message_of("added_tokens.json", "{", "<new>"), {"added_tokens.json"});
  expect_says(message_of("vocab.json", "", ""), {"empty"});
}

}  // namespace rubric::text::added_token_files_test
