#include "train/settings/stored_answers.h"

#include <utility>

#include "core/files/abandoned_files.h"
#include "core/error.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "train/settings/nearest_reference.h"
#include "data/tokens/token_store.h"

namespace rubric {
namespace {

// Everything that the tokenised rows depend on.
std::string store_name(const std::string& source_sha256, const AnswerSource& source,
                       const Tokenizer& tokenizer, const AnswerTemplate& answer_template,
                       const Augmentation& augmentation) {
  Json key;
  key["format"] = kTokenStoreFormat;
  key["source"] = source_sha256;
  key["source_format"] = input_format_names()[static_cast<size_t>(source.format)];
  key["nearest_reference"] = source.nearest_reference;
  key["tokenizer"] = tokenizer.fingerprint();
  key["inputs"] = join(answer_template.inputs);
  key["second_segment"] = join(answer_template.second_segment);
  key["max_length"] = answer_template.max_length;
  key["cut"] = answer_template.cut;
  key["identity"] = augmentation.identity;
  key["swap"] = augmentation.swap;
  constexpr size_t kDigits = 24;
  return "answers-" + sha256(key.dump()).substr(0, kDigits) + ".h5";
}

void make_folder(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) return;
  throw InputError("cannot make the folder of the token store: " + error.message(),
                   directory.string(), "set data.store to another folder");
}

std::vector<Answer> read_source(const AnswerSource& source) {
  std::vector<Answer> answers = read_answers(source.file, source.format);
  if (!source.nearest_reference) return answers;
  for (Answer& answer : answers) {
    std::string nearest = nearest_reference(answer);
    answer.references = {std::move(nearest)};
  }
  return answers;
}

// A store that was made for this template has no longer row; a hostile one may.
void require_lengths(const TokenizedAnswers& rows, int64_t longest,
                     const std::filesystem::path& store) {
  for (int64_t row = 0; row < rows.rows(); ++row) {
    if (rows.tokens.length(row) <= longest) continue;
    throw InputError("not a usable token store: a row is longer than data.max_length",
                     store.string(), "delete it; it is made again from its source");
  }
}

}  // namespace

StoredAnswers open_answers(const AnswerSource& source, const std::filesystem::path& directory,
                           const Tokenizer& tokenizer, const AnswerTemplate& answer_template,
                           const Augmentation& augmentation) {
  StoredAnswers stored;
  stored.source = source.file;
  if (!directory.empty()) {
    stored.source_sha256 = sha256_file(source.file);
    stored.store = directory / store_name(stored.source_sha256, source, tokenizer, answer_template,
                                          augmentation);
    if (std::filesystem::exists(stored.store)) {
      remove_abandoned(stored.store);  // of another writer, which nobody is going to write anew
      stored.rows = read_token_store(stored.store);
      require_lengths(*stored.rows, answer_template.max_length, stored.store);
      return stored;
    }
  }
  stored.answers = augment(read_source(source), augmentation);
  require_scores(stored.answers, source.file.string());
  return stored;
}

TokenizedAnswers tokenized(StoredAnswers stored, const Tokenizer& tokenizer,
                           const AnswerTemplate& answer_template) {
  if (stored.rows) return std::move(*stored.rows);
  if (!stored.store.empty()) make_folder(stored.store.parent_path());
  TokenizedAnswers rows =
      tokenize_answers(stored.answers, tokenizer, answer_template, stored.source.string());
  if (!stored.store.empty()) {
    write_token_store(stored.store, rows, stored.source_sha256);
    log_info("tokenised " + std::to_string(rows.rows()) + " rows of " + stored.source.string() +
             " into " + stored.store.string());
  }
  return rows;
}

}  // namespace rubric
