// The questions that a model has seen: those that it was trained on, and those of the rows that
// chose its weights and threshold (it was tuned on them). A score of a row with such a question
// says nothing of new questions, so `score` counts these rows.
//
// A model directory lists the questions by hash, in two files beside the weights. A file is the
// hashes one after another, 8 bytes each, the most significant first, in ascending order and each
// once; rubric.yaml says how questions are normalised (ModelCard::question_hashes).
//
//   question_hash("What's the capital of France?") = first 8 bytes of SHA-256("whats capital of
//   france")
//
// The hash of a question that can be guessed can be guessed, too: the lists are not anonymous.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "data/model_files/model_directory.h"
#include "data/records.h"
#include "data/rows/seen_rows.h"

namespace rubric::data {

// Names question_hash(): of Unicode's form D, without punctuation of any script, normalised as
// text::normalize_answer() does. Another normalisation gets another name.
inline constexpr const char* kQuestionNormalisation = "squad-unicode-1";

// nullopt for a question of which nothing is left.
std::optional<uint64_t> question_hash(std::string_view question);

enum class Seen { no, tuned, trained };  // trained goes first where both are true

struct SeenQuestions {
  std::vector<uint64_t> trained, tuned;  // ascending, each once

  Seen of(std::string_view question) const;
  Seen of(uint64_t hash) const;
  void add(const SeenQuestions& more);  // the union of each list
};

// For signatures: "|seen:65%,tuned:15%", the shares of rows with questions that the model was
// trained on, and of others with questions that it was tuned on; a share that is 0 is left out.
std::string seen_signature(int64_t trained, int64_t tuned, int64_t rows);

// "65%"; "<1%" and ">99%" where rounding would say none or all.
std::string share_text(int64_t part, int64_t all);

// Of the questions of the dev rows: those that the training rows have, too.
struct SharedQuestions {
  int64_t count = 0, all = 0;
  std::string example;        // the first of them
  bool is_reference = false;  // the example: of a row without a question
};

// A question is in both where its passage is the same or, unless the model reads passages, a
// reference is: generic questions on different passages differ. Rows without a question are
// compared by passage and reference.
SharedQuestions shared_questions(std::span<const Answer> train, std::span<const Answer> dev,
                                 bool reads_passage);

// "12 of 20 dev questions (60%) are in the training rows, too, such as …", and what to do.
std::string shared_note(const SharedQuestions& shared);

// "13 of 20 dev questions (65%) were in the training of lerc-answers and 3 (15%) in its tuning: …";
// "" where the model `name` has seen none of the dev questions, whose hashes `dev` are.
std::string start_note(const std::string& name, const SeenQuestions& seen,
                       std::span<const uint64_t> dev);

// The hashes of questions in their order, each once.
std::vector<uint64_t> question_list(std::span<const std::string> questions);

// nullopt where the card names no normalisation: nothing is known then. Throws InputError for a
// file that is missing or no such list.
std::optional<SeenQuestions> read_seen_questions(const std::filesystem::path& model_directory);

// Writes both files, unless it is nullopt, and says in the card how questions are normalised. The
// card is the caller's to write.
void write_seen_questions(const std::filesystem::path& directory,
                          const std::optional<SeenQuestions>& questions, ModelCard& card);

// The rows whose questions are seen; none where nothing is known.
SeenRows find_seen(const std::optional<SeenQuestions>& seen,
                   std::span<const std::string> questions);

// Finds the records, of those that a metric scores, with questions that its model has seen.
class SeenRecords {
 public:
  explicit SeenRecords(const std::filesystem::path& model_directory)
      : questions_(read_seen_questions(model_directory)) {}

  bool lists_questions() const { return questions_.has_value(); }
  void find(std::span<const Answer> records);
  const SeenRows& found() const { return found_; }  // of the records given last
  std::string signature() const;                    // seen_signature() of them

 private:
  std::optional<SeenQuestions> questions_;
  SeenRows found_;
  int64_t records_ = 0;
};

}  // namespace rubric::data
