// Tokenises answers for models that score them (for LERC [CLS] p [SEP] q [SEP] a [SEP] â [SEP],
// Chen et al. 2020, section 3; for the similarity of two sentences [CLS] a [SEP] â [SEP]), augments
// them, and stores the tokens on disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "data/records.h"
#include "data/tasks/label_scale.h"
#include "data/tokens/batches.h"
#include "text/tokenizer.h"

namespace rubric::data {

// The fields of an input and its limits. `inputs` is any subset of passage, question, reference and
// candidate in any order (Table 6 ablates them). A field that is not listed has no [SEP]; an empty
// field keeps it. [CLS] is in the first segment.
struct AnswerTemplate {
  std::vector<std::string> inputs = {"passage", "question", "reference", "candidate"};
  // In tokens. The field `cut` is truncated at its end, and then, down to one token, the candidate.
  // Where that is not enough, a question or a reference alone is too long: then the field that is
  // the longest at the time is truncated, behind the passage if `cut` names it.
  int64_t max_length = 512;
  // Other fields are in the first segment.
  std::vector<std::string> second_segment = {"reference", "candidate"};
  std::string cut = "passage";
};

// The template of a task (data/tasks/list.h). Throws InputError, naming `where`, when an input is
// unknown, repeated or unsuitable for the task, or when there is none.
AnswerTemplate template_of(const std::string& task, const std::vector<std::string>& inputs,
                           int64_t max_length, const std::string& cut, const std::string& where);

// What messages call an answer: its id in quotes or, where its row has none, "row 3". names_text()
// lists such names: 'id "a", "b"', 'row 3, row 5'. named_record(): 'record "a"', 'row 3'.
std::string record_name(const Answer& answer);
std::string named_record(const Answer& answer);
std::string names_text(std::vector<std::string> names, const char* noun = "id");

// "file: record constituent/id", or "file: row 3": the place of an answer, for messages.
std::string record_place(const std::string& file, const Answer& answer);

// Warns of answers whose candidate or a reference the tokenizer's vocabulary does not cover: it has
// no token for some character, or of most words of another script than Latin only their letters.
void warn_of_uncovered(std::span<const Answer> answers, const text::Tokenizer& tokenizer);

// Warns of answers without a passage or a question that the template reads. `where` begins the
// message.
void warn_of_missing_inputs(std::span<const Answer> answers, const AnswerTemplate& answer_template,
                            const std::string& where = "");

// Tokenises answers into rows of a batch. Throws InputError, naming the record, when max_length has
// no room for a token of each field.
class AnswerEncoder {
 public:
  // `file` is the file of the answers, for messages.
  AnswerEncoder(const text::Tokenizer& tokenizer, AnswerTemplate answer_template,
                std::string file = "");

  using Fields = std::vector<std::vector<int64_t>>;  // the ids of each input

  // Appends one row with this reference.
  void encode(const Answer& answer, const std::string& reference, TokenBatch& rows);

  // The parts of encode(): the whole texts of the row, and the row that they make.
  Fields fields_of(const Answer& answer, const std::string& reference);
  void append(Fields fields, const Answer& answer, TokenBatch& rows);

  // Whether the row needs no cut but of the field `cut` and of the candidate.
  bool fits(const Fields& fields) const;

  int64_t truncated() const { return truncated_; }  // number of truncated rows so far

  const AnswerTemplate& answer_template() const { return template_; }

 private:
  std::vector<int64_t> tokens_of(const std::string& input, const Answer& answer,
                                 const std::string& reference);
  int64_t surplus(const Fields& fields) const;
  int64_t cut_usual(Fields& fields, int64_t surplus) const;
  void cut(Fields& fields, const Answer& answer);
  void cut_longest_first(Fields& fields, const Answer& answer) const;

  const text::Tokenizer& tokenizer_;
  AnswerTemplate template_;
  std::string file_;
  int64_t truncated_ = 0;
  std::string cached_passage_;  // candidates of one passage are often consecutive
  std::vector<int64_t> cached_passage_ids_;
};

// Tokenised answers with labels, for training, and with what selecting rows needs.
struct TokenizedAnswers {
  TokenBatch tokens;
  std::vector<double> labels;  // human scores
  std::vector<std::string> ids, constituents;
  std::vector<char> truncated;  // 1: the row was truncated
  // 1: the row has another reference of the answer of the row before it.
  std::vector<char> same_answer;
  int64_t rows() const { return tokens.rows(); }
};

// The augmentation of the authors' training code: `identity` adds a row (candidate = reference,
// score `best`) for each distinct question, `swap` adds to every row with score `best` a second one
// with reference and candidate swapped.
struct Augmentation {
  bool identity = false;
  bool swap = false;
  double best = LabelScale().high;
};

std::vector<Answer> augment(std::vector<Answer> answers, const Augmentation& augmentation);

// Throws InputError for the first answer without score; `file` is the file of the answers.
void require_scores(std::span<const Answer> answers, const std::string& file);

// Appends the row of the fields (AnswerEncoder::fields_of()) of an answer that has a score.
void append_answer(const Answer& answer, AnswerEncoder::Fields fields, bool is_same_answer,
                   AnswerEncoder& encoder, TokenizedAnswers& rows);

// Throws InputError for a name that is not in `known`, listing those that are; `where` is file and
// key.
void require_constituents(const std::vector<std::string>& hold_out,
                          const std::set<std::string>& known, const std::string& where);

// The rows whose constituent is not in `hold_out`. Throws InputError for unknown names in
// `hold_out`.
TokenizedAnswers without_constituents(const TokenizedAnswers& answers,
                                      const std::vector<std::string>& hold_out,
                                      const std::string& where);

// The token store: one HDF5 file for each (source, tokenizer, template, features), with the tokens
// and the features of every row, named by their hash. A
// hash of the file's bytes precedes them, in HDF5's user block.
inline constexpr int64_t kTokenStoreFormat = 4;  // incremented when the file layout changes

// Writes the file under a temporary name, flushes and renames it, so that readers never see a
// partial file. Throws Error when it cannot be written.
void write_token_store(const std::filesystem::path& file, const TokenizedAnswers& answers,
                       const std::string& source_sha256);

// Checks every size, offset and value before use. Throws InputError naming the file; deleting the
// file is safe because it is made again from its source.
TokenizedAnswers read_token_store(const std::filesystem::path& file);

}  // namespace rubric::data
