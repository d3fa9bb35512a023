// The input of models that score answers: for LERC [CLS] p [SEP] q [SEP] a [SEP] â [SEP] (Chen et
// al. 2020, section 3), for the similarity of two sentences [CLS] a [SEP] â [SEP].
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/tokens/batches.h"
#include "text/tokenizer.h"

namespace rubric {

// Any subset and order of passage, question, reference and candidate (Table 6 ablates them). A
// field that is not listed loses its [SEP] too; an empty one keeps it. [CLS] is in the first
// segment.
struct AnswerTemplate {
  std::vector<std::string> inputs = {"passage", "question", "reference", "candidate"};
  int64_t max_length = 512;  // in tokens; only the field `cut` is cut, from its end
  std::vector<std::string> second_segment = {"reference", "candidate"};  // the others: in the first
  std::string cut = "passage";
};

// The template of a task. "similarity" takes a pair of sentences as BERT takes pairs, reference
// first; "lerc" any inputs. Throws InputError, naming `where`, when an input is unknown, occurs
// twice or does not suit the task, or none is given.
AnswerTemplate template_of(const std::string& task, const std::vector<std::string>& inputs,
                           int64_t max_length, const std::string& cut, const std::string& where);

// "file: record constituent/id": where messages say that an answer stands.
std::string record_place(const std::string& file, const Answer& answer);

// Tokenises answers into rows of a batch. Throws InputError, naming the record, when a row does not
// fit even without the field that may be cut.
class AnswerEncoder {
 public:
  // `file` is where the answers stand, for messages.
  AnswerEncoder(const Tokenizer& tokenizer, AnswerTemplate answer_template, std::string file = "");

  // Appends one row, with `reference` in the place of the reference.
  void encode(const Answer& answer, const std::string& reference, TokenBatch& rows);

  int64_t truncated() const { return truncated_; }  // rows that were cut, so far

  const AnswerTemplate& answer_template() const { return template_; }

 private:
  const Tokenizer& tokenizer_;
  AnswerTemplate template_;
  std::string file_;
  int64_t truncated_ = 0;
  std::string cached_passage_;  // candidates of one passage follow one another
  std::vector<int64_t> cached_passage_ids_;
};

}  // namespace rubric
