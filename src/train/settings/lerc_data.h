// The data of a run that trains on human scores (tasks lerc and similarity): reading answers,
// tokenising them or opening their token store, choosing among references.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "data/answers/answer_rows.h"
#include "data/model_files/seen_questions.h"
#include "data/records.h"
#include "data/rows/rows.h"
#include "data/tasks/label_scale.h"
#include "data/tokens/tokenized_answers.h"
#include "metrics/ngram/answer_features.h"
#include "train/settings/train_config.h"

namespace rubric::train {

// The training rows and the validation rows that select the best model, both without held-out
// constituents. A training row has one reference. A dev row is there with each of its references
// that `score` reads (metrics::read_references).
struct LercData {
  data::TokenizedAnswers train, dev;
  data::SeenQuestions questions = {};          // of both
  std::vector<data::Answer> dev_answers = {};  // of the dev rows, with all of their references
  data::LabelScale scale = {};                 // that the labels of both are on
  data::LabelScale labels = {};                // the least and the greatest of both
  data::SharedQuestions shared = {};           // which were warned of
  std::string few_note = {};                   // few_rows_note(), which was said
};

// "3 training rows: fewer than 30 teach a model little; 3 dev rows: …"; "" where neither are few.
std::string few_rows_note(size_t train, size_t dev);

// Tokenises the files of `config`, or opens their token store in config.data.store. Throws
// InputError as the functions below do.
LercData load_lerc_data(const TrainConfig& config, const text::Tokenizer& tokenizer);

// Throws InputError for settings of the head that contradict each other.
void require_head(const HeadConfig& head);

// For the log: "train: 250 rows, 31020 tokens, 0 rows cut; dev: …".
std::string describe(const LercData& data);

// The reference that a row is read with. A correct answer agrees with one of its references, the
// nearest to the candidate; training it with another would teach that different answers are equal.
// `each`: a row for each reference, as `score` reads them.
enum class RowReference { first, nearest, each };

// A file of answers to train or validate on.
struct AnswerSource {
  std::filesystem::path file;
  data::InputFormat format = data::InputFormat::kMocha;
  RowReference reference = RowReference::first;
  data::FieldNames fields = {};  // the file's names, where they are not the usual ones
  data::AnswerOptions options = {};
  std::vector<std::string> features = {};  // of metrics/ngram/answer_features.h
};

// The rows of one file, all constituents, before tokenising, so that errors in any file are found
// before time is spent on another.
struct StoredAnswers {
  std::filesystem::path source, store;  // `store` is empty without token store
  std::string source_sha256;
  std::optional<data::TokenizedAnswers> rows;  // read from the store
  std::vector<data::Answer> answers;           // without a store file: the rows to tokenise
  bool has_each_reference = false;             // RowReference::each
  std::vector<const metrics::AnswerFeature*> features;  // and what a model reads beside tokens
};

// `directory` holds the token stores, named by a hash of everything that their rows depend on;
// empty: no token store is read or written. Throws InputError as the readers do, and for a row
// without score.
StoredAnswers open_answers(const AnswerSource& source, const std::filesystem::path& directory,
                           const text::Tokenizer& tokenizer,
                           const data::AnswerTemplate& answer_template,
                           const data::Augmentation& augmentation);

// The tokenised rows; writes newly tokenised ones to the store. Throws InputError when the store's
// directory cannot be created.
data::TokenizedAnswers tokenized(StoredAnswers stored, const text::Tokenizer& tokenizer,
                                 const data::AnswerTemplate& answer_template);

}  // namespace rubric::train
