// Chat templates: what a model that was trained on conversations reads before it writes a message.
// Published models carry a program for it in Jinja. None is run here: a template is known by its
// SHA-256, and chat_template.tsv says what its family writes.
//
// Goals: the text of transformers' apply_chat_template, for messages that are texts.
// Not goals: tools, images, templates that chat_template.tsv does not have, the day of the call,
// which transformers writes for Llama 3.2 where the template has a fixed one.
#pragma once

#include <filesystem>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::text {

enum class ChatRole { system, user, assistant };

struct ChatMessage {
  ChatRole role;
  std::string text;
};

class ChatTemplate {
 public:
  // That of a model directory, with the beginning and end tokens that its files name. `family`: one
  // of chat_template_choices(), where "auto" stands for that of the template in the files, which is
  // chat_template.jinja's, else tokenizer_config.json's chat_template, or the default of a list of
  // them. Throws InputError naming --chat-template where "auto" finds none or an unknown one.
  ChatTemplate(const std::filesystem::path& model_directory, const std::string& family);

  // The text of a conversation, with all special tokens: the tokenizer adds none. With
  // `add_prompt` it ends where the assistant's next message begins. A special token in a message
  // counts as one, as in transformers. Throws InputError naming `where` for no messages and for an
  // order of roles that the template refuses, or with which it would leave a message out.
  std::string render(std::span<const ChatMessage> messages, bool add_prompt,
                     const std::string& where) const;

  const std::string& family() const { return family_; }

  // What the template writes that is one token in a model of the family: "<|im_start|>".
  std::set<std::string> special_tokens() const;

 private:
  struct Turn {
    std::string before, after;
  };

  bool has(std::string_view trait) const;
  void check(std::span<const ChatMessage> messages, const std::string& where) const;
  std::string text_of(const ChatMessage& message, const std::string& prefix = "") const;

  // The row of chat_template.tsv.
  std::string family_, system_place_, traits_, begin_, prompt_, end_;
  Turn turns_[3];  // by role
  std::string before_first_system_;
  std::optional<std::string> default_system_;
};

// "none", "auto" and the families: the values of --chat-template.
std::vector<std::string> chat_template_choices();

}  // namespace rubric::text
