#include <algorithm>

#include "core/error.h"
#include "data/tasks/list.h"
#include "data/tokens/tokenized_answers.h"

namespace rubric::data {
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
      throw InputError("the input field \"" + input + "\" is listed twice", where);
    }
  }
}

}  // namespace

std::string record_place(const std::string& file, const Answer& answer) {
  return (file.empty() ? "" : file + ": ") + "record " +
         (answer.constituent.empty() ? "" : answer.constituent + "/") + answer.id;
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

void AnswerEncoder::encode(const Answer& answer, const std::string& reference, TokenBatch& rows) {
  std::vector<std::vector<int64_t>> fields;
  std::vector<int64_t> none;
  std::vector<int64_t>* to_cut = &none;
  int64_t length = 1;                       // [CLS]
  fields.reserve(template_.inputs.size());  // so that to_cut stays valid
  for (const std::string& input : template_.inputs) {
    std::vector<int64_t> ids;
    if (input == "passage") {
      if (answer.passage != cached_passage_ || cached_passage_ids_.empty()) {
        cached_passage_ = answer.passage;
        cached_passage_ids_.clear();
        tokenizer_.encode(answer.passage, cached_passage_ids_);
      }
      ids = cached_passage_ids_;
    } else {
      tokenizer_.encode(input == "question"    ? answer.question
                        : input == "reference" ? reference
                                               : answer.candidate,
                        ids);
    }
    length += std::ssize(ids) + 1;  // plus its [SEP]
    fields.push_back(std::move(ids));
    if (input == template_.cut) to_cut = &fields.back();
  }
  if (length > template_.max_length) {
    const int64_t surplus = length - template_.max_length;
    if (surplus > std::ssize(*to_cut)) {
      const std::string without = to_cut->empty() ? "" : "without its " + template_.cut + " ";
      throw InputError(without + "the row needs " + std::to_string(length - std::ssize(*to_cut)) +
                           " tokens, and the limit is " + std::to_string(template_.max_length),
                       record_place(file_, answer),
                       "shorten it: only the " + template_.cut +
                           " is cut; or train with another data.max_length or data.cut");
    }
    to_cut->resize(to_cut->size() - static_cast<size_t>(surplus));
    ++truncated_;
  }
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
