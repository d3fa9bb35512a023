#include "data/tokens/tokenized_answers.h"

#include <algorithm>
#include <set>
#include <tuple>
#include <utility>

#include "core/error.h"
#include "core/field_text.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "core/text/utf8.h"
#include "data/tasks/list.h"
#include "text/unicode/unicode.h"

namespace rubric::data {

std::vector<Answer> augment(std::vector<Answer> answers, const Augmentation& augmentation) {
  std::vector<Answer> added;
  std::set<std::tuple<std::string, std::string, std::string>> seen;
  for (const Answer& answer : answers) {
    const std::string& reference = answer.references.front();
    if (augmentation.identity &&
        seen.emplace(answer.constituent, answer.passage, answer.question).second) {
      Answer identity = answer;
      identity.id += "#identity";
      identity.candidate = reference;
      identity.score = augmentation.best;
      added.push_back(std::move(identity));
    }
    if (augmentation.swap && answer.score == augmentation.best) {
      Answer swapped = answer;
      swapped.id += "#swapped";
      swapped.candidate = reference;
      swapped.references.front() = answer.candidate;
      added.push_back(std::move(swapped));
    }
  }
  answers.insert(answers.end(), std::make_move_iterator(added.begin()),
                 std::make_move_iterator(added.end()));
  return answers;
}

void require_scores(std::span<const Answer> answers, const std::string& file) {
  for (const Answer& answer : answers) {
    if (answer.score) continue;
    throw InputError(
        "a row without a score cannot be trained or validated on", record_place(file, answer),
        "use a split with labels; a score of another name is named by --field score=…");
  }
}

void append_answer(const Answer& answer, AnswerEncoder::Fields fields, bool is_same_answer,
                   AnswerEncoder& encoder, TokenizedAnswers& rows) {
  const int64_t cut_before = encoder.truncated();
  encoder.append(std::move(fields), answer, rows.tokens);
  rows.truncated.push_back(encoder.truncated() > cut_before ? 1 : 0);
  rows.labels.push_back(*answer.score);
  rows.same_answer.push_back(is_same_answer ? 1 : 0);
  rows.ids.push_back(answer.id);
  rows.constituents.push_back(answer.constituent);
}

void require_constituents(const std::vector<std::string>& hold_out,
                          const std::set<std::string>& known, const std::string& where) {
  const std::vector<std::string> names(known.begin(), known.end());
  for (const std::string& name : hold_out) {
    if (known.contains(name)) continue;
    const std::string nearest = nearest_name(name, names);
    throw InputError(
        "the file has no constituent \"" + name + "\" to hold out", where,
        "it has " + join(names) + (nearest.empty() ? "" : "; did you mean \"" + nearest + "\"?"));
  }
}

TokenizedAnswers without_constituents(const TokenizedAnswers& answers,
                                      const std::vector<std::string>& hold_out,
                                      const std::string& where) {
  require_constituents(hold_out, {answers.constituents.begin(), answers.constituents.end()}, where);
  std::vector<int64_t> kept;
  TokenizedAnswers result;
  for (int64_t row = 0; row < answers.rows(); ++row) {
    const auto i = static_cast<size_t>(row);
    if (std::find(hold_out.begin(), hold_out.end(), answers.constituents[i]) != hold_out.end()) {
      continue;
    }
    kept.push_back(row);
    result.labels.push_back(answers.labels[i]);
    result.ids.push_back(answers.ids[i]);
    result.constituents.push_back(answers.constituents[i]);
    result.truncated.push_back(answers.truncated[i]);
    result.same_answer.push_back(answers.same_answer[i]);
  }
  result.tokens = select_rows(answers.tokens, kept);
  return result;
}

namespace {

const std::vector<std::string> kInputs = {"passage", "question", "reference", "candidate"};

void check_inputs(const std::vector<std::string>& inputs, const std::string& where) {
  if (inputs.empty()) {
    throw InputError("no input field is given", where, "list some of " + join(kInputs));
  }
  for (const std::string& input : inputs) {
    if (std::find(kInputs.begin(), kInputs.end(), input) == kInputs.end()) {
      throw InputError("unknown input field \"" + input + "\"", where,
                       "choose among " + join(kInputs));
    }
    if (std::count(inputs.begin(), inputs.end(), input) > 1) {
      throw InputError("the input field \"" + input + "\" is listed twice", where,
                       "list each field once");
    }
  }
}

}  // namespace

std::string record_name(const Answer& answer) {
  return answer.is_numbered ? "row " + answer.id : json_quote(answer.id);
}

std::string named_record(const Answer& answer) {
  return (answer.is_numbered ? "" : "record ") + record_name(answer);
}

std::string names_text(std::vector<std::string> names, const char* noun) {
  const bool are_ids = !names.empty() && names.front().starts_with('"');
  return (are_ids ? noun + std::string(" ") : "") + join_some(std::move(names));
}

std::string record_place(const std::string& file, const Answer& answer) {
  const std::string start = file.empty() ? "" : file + ": ";
  if (answer.is_numbered) return start + record_name(answer);
  return start + "record " + (answer.constituent.empty() ? "" : answer.constituent + "/") +
         answer.id;
}

namespace {

// The id in place of characters without a token; -1: the tokenizer has a token for every byte.
int64_t unknown_id(const text::Tokenizer& tokenizer) {
  std::vector<int64_t> ids;
  tokenizer.encode("\U00010A00", ids);  // a letter of Kharosthi, which no vocabulary has
  return ids.size() == 1 ? ids.front() : -1;
}

bool is_covered(const std::string& text, const text::Tokenizer& tokenizer, int64_t unknown) {
  const auto is_ascii = [](char c) { return static_cast<unsigned char>(c) < 0x80; };
  if (std::ranges::all_of(text, is_ascii)) return true;
  std::vector<int64_t> ids;
  tokenizer.encode(text, ids);
  if (std::ranges::count(ids, unknown) > 0) return false;
  constexpr char32_t kEndOfLatin = 0x250;
  constexpr size_t kFewest = 3;  // letters
  size_t letters = 0, of_others = 0, tokens = 0;
  std::string word;  // of another script; each Chinese character is a token anyway
  const auto end_word = [&] {
    ids.clear();
    if (!word.empty()) tokenizer.encode(word, ids);
    tokens += ids.size();
    word.clear();
  };
  for (const char32_t c : decode_utf8(text)) {
    const bool is_letter = text::is_letter(c);
    const bool is_of_other = is_letter && c >= kEndOfLatin && !text::is_cjk_ideograph(c);
    letters += is_letter ? 1 : 0;
    of_others += is_of_other ? 1 : 0;
    is_of_other ? append_utf8(c, word) : end_word();
  }
  end_word();
  // A vocabulary of the script has two or three letters a token.
  return of_others < kFewest || of_others * 2 < letters || tokens * 4 < of_others * 3;
}

}  // namespace

void warn_of_uncovered(std::span<const Answer> answers, const text::Tokenizer& tokenizer) {
  const int64_t unknown = unknown_id(tokenizer);
  int64_t rows = 0;
  std::string example;
  for (const Answer& answer : answers) {
    std::vector<const std::string*> texts = {&answer.candidate};
    for (const std::string& reference : answer.references) texts.push_back(&reference);
    const auto found = std::ranges::find_if(
        texts, [&](const std::string* text) { return !is_covered(*text, tokenizer, unknown); });
    if (found == texts.end()) continue;
    if (++rows == 1) example = **found;
  }
  if (rows == 0) return;
  log_warning("the model's vocabulary does not cover a text of " + std::to_string(rows) + " of " +
              counted(std::ssize(answers), "row") + ", such as " + json_quote(example) +
              ": what the model was not trained to read, it scores badly");
}

void warn_of_missing_inputs(std::span<const Answer> answers, const AnswerTemplate& answer_template,
                            const std::string& where) {
  for (const auto& [input, text] :
       {std::pair("passage", &Answer::passage), {"question", &Answer::question}}) {
    const auto missing = std::ranges::count_if(
        answers, [text = text](const Answer& answer) { return (answer.*text).empty(); });
    if (missing == 0 || std::ranges::count(answer_template.inputs, input) == 0) continue;
    log_warning((where.empty() ? "" : where + ": ") + std::to_string(missing) + " of " +
                counted(std::ssize(answers), "row") + (missing == 1 ? " has no " : " have no ") +
                input + own_field(input) + ", which the model reads");
  }
}

AnswerTemplate template_of(const std::string& task, const std::vector<std::string>& inputs,
                           int64_t max_length, const std::string& cut, const std::string& where) {
  check_inputs(inputs, where);
  AnswerTemplate result{inputs, max_length};
  result.cut = cut;
  const TaskKind& kind = require_task(task);
  if (!kind.inputs.empty() && !std::ranges::equal(inputs, kind.inputs)) {
    const std::string taken = join({kind.inputs.begin(), kind.inputs.end()});
    throw InputError("the task " + task + " reads [" + taken + "], not [" + join(inputs) + "]",
                     where, "give [" + taken + "]");
  }
  if (!kind.second_segment.empty()) {
    result.second_segment.assign(kind.second_segment.begin(), kind.second_segment.end());
  }
  return result;
}

AnswerEncoder::AnswerEncoder(const text::Tokenizer& tokenizer, AnswerTemplate answer_template,
                             std::string file)
    : tokenizer_(tokenizer), template_(std::move(answer_template)), file_(std::move(file)) {}

std::vector<int64_t> AnswerEncoder::tokens_of(const std::string& input, const Answer& answer,
                                              const std::string& reference) {
  if (input == "passage") {
    if (answer.passage != cached_passage_ || cached_passage_ids_.empty()) {
      cached_passage_ = answer.passage;
      cached_passage_ids_.clear();
      tokenizer_.encode(answer.passage, cached_passage_ids_);
    }
    return cached_passage_ids_;
  }
  std::vector<int64_t> ids;
  tokenizer_.encode(input == "question"    ? answer.question
                    : input == "reference" ? reference
                                           : answer.candidate,
                    ids);
  return ids;
}

AnswerEncoder::Fields AnswerEncoder::fields_of(const Answer& answer, const std::string& reference) {
  Fields fields;
  for (const std::string& input : template_.inputs) {
    fields.push_back(tokens_of(input, answer, reference));
  }
  return fields;
}

// How many tokens the row of these fields has too many: [CLS], and a [SEP] behind each field.
int64_t AnswerEncoder::surplus(const Fields& fields) const {
  int64_t length = 1;
  for (const auto& field : fields) length += std::ssize(field) + 1;
  return length - template_.max_length;
}

// Cuts the input that the template names, and then the candidate, of which one token stays: without
// any it would be scored as an empty answer. Returns the surplus that is left.
int64_t AnswerEncoder::cut_usual(Fields& fields, int64_t surplus) const {
  for (const std::string& name : {template_.cut, std::string("candidate")}) {
    const auto input = std::ranges::find(template_.inputs, name);
    if (input == template_.inputs.end()) continue;
    auto& field = fields[static_cast<size_t>(input - template_.inputs.begin())];
    const int64_t most = std::ssize(field) - (name == "candidate" ? 1 : 0);
    const int64_t removed = std::clamp<int64_t>(most, 0, surplus);
    field.resize(field.size() - static_cast<size_t>(removed));
    surplus -= removed;
  }
  return surplus;
}

void AnswerEncoder::cut(Fields& fields, const Answer& answer) {
  Fields usual = fields;
  if (cut_usual(usual, surplus(fields)) == 0) {
    fields = std::move(usual);
  } else {
    cut_longest_first(fields, answer);
  }
  ++truncated_;
}

// For a question or a reference that alone is too long: the passage goes, if the template cuts it,
// and then the longest field loses its end, again and again; of each field a token stays.
void AnswerEncoder::cut_longest_first(Fields& fields, const Answer& answer) const {
  const auto passage = std::ranges::find(template_.inputs, "passage");
  if (template_.cut == "passage" && passage != template_.inputs.end()) {
    fields[static_cast<size_t>(passage - template_.inputs.begin())].clear();
  }
  for (int64_t left = surplus(fields); left > 0; --left) {
    auto& longest = *std::ranges::max_element(fields, {}, [](const auto& f) { return f.size(); });
    if (longest.size() > 1) {
      longest.pop_back();
      continue;
    }
    throw InputError("cut to one token a field, the row needs " +
                         std::to_string(template_.max_length + left) +
                         " tokens, and the limit is " + std::to_string(template_.max_length),
                     record_place(file_, answer), "train with another data.max_length");
  }
}

bool AnswerEncoder::fits(const Fields& fields) const {
  const int64_t too_many = surplus(fields);
  Fields usual = too_many > 0 ? fields : Fields();
  return too_many <= 0 || cut_usual(usual, too_many) == 0;
}

void AnswerEncoder::encode(const Answer& answer, const std::string& reference, TokenBatch& rows) {
  append(fields_of(answer, reference), answer, rows);
}

void AnswerEncoder::append(Fields fields, const Answer& answer, TokenBatch& rows) {
  if (surplus(fields) > 0) cut(fields, answer);
  rows.ids.push_back(tokenizer_.cls_id());
  rows.segments.push_back(0);
  for (size_t i = 0; i < fields.size(); ++i) {
    rows.ids.insert(rows.ids.end(), fields[i].begin(), fields[i].end());
    rows.ids.push_back(tokenizer_.sep_id());
    const bool is_second = std::ranges::count(template_.second_segment, template_.inputs[i]) > 0;
    rows.segments.resize(rows.ids.size(), is_second ? 1 : 0);
  }
  rows.offsets.push_back(static_cast<int64_t>(rows.ids.size()));
}

}  // namespace rubric::data
