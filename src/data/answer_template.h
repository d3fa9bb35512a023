// The input of LERC: [CLS] p [SEP] q [SEP] a [SEP] â [SEP] (Chen et al. 2020, section 3).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/tokens.h"
#include "text/tokenizer.h"

namespace rubric {

// Any subset and order of passage, question, reference and candidate (Table 6 ablates them). A
// field that is not listed loses its [SEP] too; an empty one keeps it. Segment 0 holds [CLS],
// passage and question, segment 1 reference and candidate.
struct AnswerTemplate {
  std::vector<std::string> inputs = {"passage", "question", "reference", "candidate"};
  int64_t max_length = 512;  // in tokens; only the passage is cut, from its end
};

// Throws InputError when an input is unknown, occurs twice, or none is given.
void check_template(const AnswerTemplate& answer_template, const std::string& where);

// "file: record constituent/id": where messages say that an answer stands.
std::string record_place(const std::string& file, const Answer& answer);

// Tokenises answers into rows of a batch. Throws InputError, naming the record, when a row does not
// fit even without its passage.
class AnswerEncoder {
 public:
  // `file` is where the answers stand, for messages.
  AnswerEncoder(const Tokenizer& tokenizer, AnswerTemplate answer_template, std::string file = "");

  // Appends one row, with `reference` in the place of the reference.
  void encode(const Answer& answer, const std::string& reference, TokenBatch& rows);

  int64_t truncated() const { return truncated_; }  // rows whose passage was cut, so far

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
