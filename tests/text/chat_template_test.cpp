// Chat templates against transformers' apply_chat_template (tests/fixtures/make_chat_templates.py).
#include "text/chat_template.h"

#include <gtest/gtest.h>

#include "core/files/embedded.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "messages.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::text::chat_template_test {
namespace {

std::vector<ChatMessage> messages_of(const Json& conversation) {
  std::vector<ChatMessage> messages;
  for (const Json& message : conversation.array()) {
    const std::string role = message.require_string("role", "");
    messages.push_back({role == "system" ? ChatRole::system
                        : role == "user" ? ChatRole::user
                                         : ChatRole::assistant,
                        message.require_string("content", "")});
  }
  return messages;
}

class ChatTemplates : public ::testing::Test {
 protected:
  ChatTemplate open(const std::string& family) { return {folder_.path(), family}; }

  TemporaryFolder folder_;
};

TEST_F(ChatTemplates, WriteWhatTransformersWrites) {
  folder_.write("tokenizer_config.json",
                R"({"bos_token": "<B>", "eos_token": {"content": "<E>"}})");
  const Json fixture =
      Json::parse_file(std::filesystem::path(fixtures_folder()) / "chat_templates.json");
  const Json::Array& conversations = fixture.require_array("conversations", "");
  const std::vector<std::string> families = chat_template_choices();
  const Json& all = fixture.require("texts", "");
  EXPECT_EQ(all.object().size() + 2, families.size());
  for (const auto& [family, texts] : all.object()) {
    const ChatTemplate chat = open(family);
    for (size_t i = 0; i < conversations.size(); ++i) {
      SCOPED_TRACE(family + ", conversation " + std::to_string(i));
      const auto messages = messages_of(conversations[i]);
      const Json& expected = texts.array()[i];
      for (const bool prompt : {true, false}) {
        if (expected.is_null()) {
          EXPECT_THROW(chat.render(messages, prompt, "row 7"), InputError);
          continue;
        }
        const std::string text = chat.render(messages, prompt, "row 7");
        const size_t place = prompt ? 0 : 1;
        EXPECT_EQ(i % 2 == place ? sha256(text).substr(0, 16) : text,
                  expected.array()[place].string());
      }
    }
  }
}

TEST_F(ChatTemplates, RolesOutOfOrderAreRefusedByTheirRow) {
  const std::vector<ChatMessage> twice = {{ChatRole::user, "a"}, {ChatRole::user, "b"}};
  expect_says(input_error([&] { open("llama2").render(twice, true, "rows.jsonl:3"); }),
              {"rows.jsonl:3", "message 2 of the conversation is of the role user",
               "llama2 are user, assistant"});
  const std::vector<ChatMessage> system = {{ChatRole::system, "a"}, {ChatRole::user, "b"}};
  expect_says(input_error([&] { open("gemma").render(system, true, "rows.jsonl:4"); }),
              {"rows.jsonl:4", "gemma has no place for a system message"});
  expect_says(input_error([&] { open("chatml").render({}, true, "rows.jsonl:5"); }),
              {"rows.jsonl:5", "no message"});
}

TEST_F(ChatTemplates, UnknownOnesNameTheOption) {
  const auto expect_unknown = [&](const std::vector<std::string>& parts) {
    std::vector<std::string> all = {"--chat-template FAMILY", "chatml"};
    all.insert(all.end(), parts.begin(), parts.end());
    expect_says(input_error([&] { open("auto"); }), all);
  };
  expect_unknown({"the model has no chat template"});
  folder_.write("tokenizer_config.json", R"({"chat_template": "{{ messages }}"})");
  expect_unknown({sha256("{{ messages }}"), "tokenizer_config.json"});
  folder_.write(
      "tokenizer_config.json",
      R"({"chat_template": [{"name": "rag", "template": "x"}, {"name": "default", "template": "y"}]})");
  expect_unknown({sha256("y")});
  folder_.write("tokenizer_config.json",
                R"({"chat_template": [{"name": "rag", "template": "x"}]})");
  expect_unknown({"tokenizer_config.json: chat_template", "default"});
  folder_.write("tokenizer_config.json", R"({"chat_template": 3})");
  expect_unknown({"tokenizer_config.json: chat_template"});
  folder_.write("chat_template.jinja", "z");  // counts before the others
  expect_unknown({sha256("z"), "chat_template.jinja"});
}

// Each SHA-256 is one, of a family.
TEST_F(ChatTemplates, TheTableIsWhole) {
  const std::vector<std::string> families = chat_template_choices();
  for (const Cells& row : embedded_rows("text/chat_template.tsv", "templates")) {
    EXPECT_EQ(row.at(0).size(), 64u);
    EXPECT_EQ(std::ranges::count(families, row.at(1)), 1) << row.at(1);
  }
}

}  // namespace
}  // namespace rubric::text::chat_template_test
