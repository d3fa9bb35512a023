#include "text/tokenizer_files/tokenizer_json.h"

#include <optional>
#include <string>

#include "core/error.h"
#include "core/text/ascii.h"
#include "text/tokenizer_files/token_entries.h"

namespace rubric::text {
namespace {

// The keys of the steps in a Sequence: of normalizers, pre-tokenizers, post-processors, decoders.
constexpr const char* kStepLists[] = {"normalizers", "pretokenizers", "processors", "decoders"};

void append_steps(const Json& part, const std::string& where, std::vector<const Json*>& steps) {
  if (!has_value(part, "type", "\"Sequence\"")) {
    steps.push_back(&part);
    return;
  }
  for (const char* const key : kStepLists) {
    if (part.find(key) == nullptr) continue;
    for (const Json& step : part.require_array(key, where)) append_steps(step, where, steps);
    return;
  }
  refuse_step(part, where);
}

// A whole number that is not negative; other numbers are no ids.
int64_t id_of(const Json& number, const Json& step, const std::string& where) {
  const std::optional<int64_t> id =
      number.is_number() ? parse_count(number.number_text()) : std::nullopt;
  if (!id) refuse_step(step, where);
  return *id;
}

// The id in ["</s>", 2].
int64_t id_of_pair(const Json& step, std::string_view key, const std::string& where) {
  const Json::Array& pair = step.require_array(key, where);
  if (pair.size() != 2) refuse_step(step, where);
  return id_of(pair[1], step, where);
}

// The ids of a template's special token, which `special_tokens` lists.
void append_special_token(const Json& piece, const Json& step, const std::string& where,
                          std::vector<int64_t>& ids) {
  const std::string& name = piece.require_string("id", where);
  const Json& listed = step.require("special_tokens", where).require(name, where);
  for (const Json& id : listed.require_array("ids", where)) ids.push_back(id_of(id, step, where));
}

// The special tokens between the two texts of a pair.
int64_t separators_of_template(const Json& step, const std::string& where) {
  int64_t separators = 0, texts = 0;
  if (step.find("pair") == nullptr) return 1;
  for (const Json& piece : step.require_array("pair", where)) {
    if (piece.find("Sequence") != nullptr)
      ++texts;
    else if (texts == 1)
      ++separators;
  }
  return separators;
}

TokensAround tokens_of_template(const Json& step, const std::string& where) {
  TokensAround around;
  around.separators = separators_of_template(step, where);
  int texts = 0;
  for (const Json& piece : step.require_array("single", where)) {
    const Json* const special = piece.find("SpecialToken");
    const Json* const text = piece.find("Sequence");
    if (special != nullptr) {
      // Another segment than the first one is the second text's.
      if (!has_value(*special, "type_id", "0")) refuse_step(step, where);
      append_special_token(*special, step, where, texts == 0 ? around.before : around.after);
    } else if (text != nullptr && has_value(*text, "id", "\"A\"") &&
               has_value(*text, "type_id", "0")) {
      ++texts;
    } else {
      refuse_step(step, where);
    }
  }
  if (texts != 1) refuse_step(step, where);
  return around;
}

TokensAround tokens_of_step(const Json& step, const std::string& where) {
  const std::string& type = step.require_string("type", where);
  if (type == "ByteLevel") return {};
  if (type == "BertProcessing" || type == "RobertaProcessing") {
    return {{id_of_pair(step, "cls", where)},
            {id_of_pair(step, "sep", where)},
            type == "BertProcessing" ? 1 : 2};
  }
  if (type == "TemplateProcessing") return tokens_of_template(step, where);
  refuse_step(step, where);
}

}  // namespace

std::vector<const Json*> flattened_steps(const Json& part, const std::string& where) {
  std::vector<const Json*> steps;
  if (!part.is_null()) append_steps(part, where, steps);
  return steps;
}

const Json& only_step(const Json& tokenizer, const char* part, const std::string& file) {
  const Json& whole = tokenizer.require(part, file);
  const std::string where = file + ": " + part;
  if (whole.is_null()) return whole;
  const std::vector<const Json*> steps = flattened_steps(whole, where);
  if (steps.size() != 1) refuse_step(whole, where);
  return *steps.front();
}

bool has_value(const Json& object, std::string_view key, std::string_view json) {
  const Json* const found = object.find(key);
  return found != nullptr && found->dump() == json;
}

void refuse_step(const Json& step, const std::string& where) {
  const Json* const type = step.find("type");
  throw InputError("this version does not read the step " +
                       (type != nullptr ? type->dump() : std::string(step.kind())) +
                       " as it is here: " + step.dump().substr(0, 200),
                   where, "use a model whose tokenizer has other steps");
}

TokensAround read_tokens_around(const Json& tokenizer, const std::string& file) {
  const Json* const part = tokenizer.find("post_processor");
  TokensAround around;
  if (part == nullptr) return around;
  const std::string where = file + ": post_processor";
  for (const Json* const step : flattened_steps(*part, where)) {
    // `tokenizers` puts a later step's tokens around each of the tokens before it, too.
    const bool adds_nothing = has_value(*step, "type", "\"ByteLevel\"");
    if (!adds_nothing && around != TokensAround{}) refuse_step(*step, where);
    const TokensAround of_step = tokens_of_step(*step, where);
    if (!adds_nothing) around = of_step;
  }
  return around;
}

}  // namespace rubric::text
