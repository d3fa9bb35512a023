#include "data/answer_template.h"

#include <algorithm>

#include "core/error.h"

namespace rubric {
namespace {

const std::vector<std::string> kInputs = {"passage", "question", "reference", "candidate"};

int64_t segment_of(const std::string& input) {
  return input == "passage" || input == "question" ? 0 : 1;
}

}  // namespace

std::string record_place(const std::string& file, const Answer& answer) {
  return (file.empty() ? "" : file + ": ") + "record " +
         (answer.constituent.empty() ? "" : answer.constituent + "/") + answer.id;
}

void check_template(const AnswerTemplate& answer_template, const std::string& where) {
  if (answer_template.inputs.empty()) {
    throw InputError("no input field is given", where, "list some of " + join(kInputs));
  }
  for (const std::string& input : answer_template.inputs) {
    if (std::find(kInputs.begin(), kInputs.end(), input) == kInputs.end()) {
      throw InputError("unknown input field \"" + input + "\"", where,
                       "choose among " + join(kInputs));
    }
    if (std::count(answer_template.inputs.begin(), answer_template.inputs.end(), input) > 1) {
      throw InputError("the input field \"" + input + "\" is listed twice", where);
    }
  }
}

AnswerEncoder::AnswerEncoder(const Tokenizer& tokenizer, AnswerTemplate answer_template,
                             std::string file)
    : tokenizer_(tokenizer), template_(std::move(answer_template)), file_(std::move(file)) {}

void AnswerEncoder::encode(const Answer& answer, const std::string& reference, TokenBatch& rows) {
  std::vector<std::vector<int64_t>> fields;
  size_t passage = template_.inputs.size();
  int64_t length = 1;  // [CLS]
  for (const std::string& input : template_.inputs) {
    std::vector<int64_t> ids;
    if (input == "passage") {
      if (answer.passage != cached_passage_ || cached_passage_ids_.empty()) {
        cached_passage_ = answer.passage;
        cached_passage_ids_.clear();
        tokenizer_.encode(answer.passage, cached_passage_ids_);
      }
      passage = fields.size();
      ids = cached_passage_ids_;
    } else {
      tokenizer_.encode(input == "question"    ? answer.question
                        : input == "reference" ? reference
                                               : answer.candidate,
                        ids);
    }
    length += static_cast<int64_t>(ids.size()) + 1;  // and its [SEP]
    fields.push_back(std::move(ids));
  }
  if (length > template_.max_length) {
    const int64_t surplus = length - template_.max_length;
    const auto cuttable =
        passage < fields.size() ? static_cast<int64_t>(fields[passage].size()) : 0;
    if (surplus > cuttable) {
      throw InputError("question, reference and candidate alone need " +
                           std::to_string(length - cuttable) + " tokens, the model takes " +
                           std::to_string(template_.max_length),
                       record_place(file_, answer), "shorten it: only the passage is ever cut");
    }
    fields[passage].resize(static_cast<size_t>(cuttable - surplus));
    ++truncated_;
  }
  rows.ids.push_back(tokenizer_.cls_id());
  rows.segments.push_back(0);
  for (size_t i = 0; i < fields.size(); ++i) {
    rows.ids.insert(rows.ids.end(), fields[i].begin(), fields[i].end());
    rows.ids.push_back(tokenizer_.sep_id());
    rows.segments.resize(rows.ids.size(), segment_of(template_.inputs[i]));
  }
  rows.offsets.push_back(static_cast<int64_t>(rows.ids.size()));
}

}  // namespace rubric
