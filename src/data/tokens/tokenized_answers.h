// The input of models that score answers: for LERC [CLS] p [SEP] q [SEP] a [SEP] â [SEP] (Chen et
// al. 2020, section 3), for the similarity of two sentences [CLS] a [SEP] â [SEP].
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/tokens/batches.h"
#include "text/tokenizer.h"

namespace rubric::data {

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
  AnswerEncoder(const text::Tokenizer& tokenizer, AnswerTemplate answer_template,
                std::string file = "");

  // Appends one row, with `reference` in the place of the reference.
  void encode(const Answer& answer, const std::string& reference, TokenBatch& rows);

  int64_t truncated() const { return truncated_; }  // rows that were cut, so far

  const AnswerTemplate& answer_template() const { return template_; }

 private:
  const text::Tokenizer& tokenizer_;
  AnswerTemplate template_;
  std::string file_;
  int64_t truncated_ = 0;
  std::string cached_passage_;  // candidates of one passage follow one another
  std::vector<int64_t> cached_passage_ids_;
};

// Answers as models train on them: tokenised, labelled, and with what selection needs.

struct TokenizedAnswers {
  TokenBatch tokens;
  std::vector<double> labels;  // human scores
  std::vector<std::string> ids, constituents;
  std::vector<char> cut;  // 1: the row was cut, 0: it was not
  int64_t rows() const { return tokens.rows(); }
};

// The augmentation of the authors' training code: once per distinct question an identity row
// (candidate = reference, score 5), and for every row with score 5 a second one with reference and
// candidate swapped.
struct Augmentation {
  bool identity = false;
  bool swap = false;
};

std::vector<Answer> augment(std::vector<Answer> answers, const Augmentation& augmentation);

// The first answer that has no score is an InputError; `file` is where the answers stand.
void require_scores(std::span<const Answer> answers, const std::string& file);

// Tokenises with the first reference of each answer. Requires scores, as above. Throws Interrupted
// when a stop is requested.
TokenizedAnswers tokenize_answers(std::span<const Answer> answers, const text::Tokenizer& tokenizer,
                                  const AnswerTemplate& answer_template, const std::string& file);

// A name that is not `known` is an InputError that lists those that are; `where` is file and key.
void require_constituents(const std::vector<std::string>& hold_out,
                          const std::set<std::string>& known, const std::string& where);

// The rows whose constituent is not in `hold_out`. Requires its names, as above.
TokenizedAnswers without_constituents(const TokenizedAnswers& answers,
                                      const std::vector<std::string>& hold_out,
                                      const std::string& where);

// Tokenised data on disk: one HDF5 file for each (source, tokenizer, template), named by their
// hash. A hash of its bytes stands before them, where HDF5 lets other programs put a user block.

inline constexpr int64_t kTokenStoreFormat = 2;  // raised when the layout of the file changes

// Written under a temporary name, flushed and renamed: readers see all of it or nothing. Throws
// Error when it cannot be written.
void write_token_store(const std::filesystem::path& file, const TokenizedAnswers& answers,
                       const std::string& source_sha256);

// Checks every size, offset and value before use. Throws InputError naming the file, which can then
// be deleted: it is made again from its source.
TokenizedAnswers read_token_store(const std::filesystem::path& file);

}  // namespace rubric::data
