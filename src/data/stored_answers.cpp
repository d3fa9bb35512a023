#include "data/stored_answers.h"

#include <utility>

#include "core/error.h"
#include "core/hash.h"
#include "core/json.h"
#include "core/log.h"
#include "data/mocha.h"
#include "data/token_store.h"

namespace rubric {
namespace {

// Everything that the tokenised rows depend on.
std::string store_name(const std::string& source_sha256, const Tokenizer& tokenizer,
                       const AnswerTemplate& answer_template, const Augmentation& augmentation) {
  Json key;
  key["format"] = kTokenStoreFormat;
  key["source"] = source_sha256;
  key["tokenizer"] = tokenizer.fingerprint();
  key["inputs"] = join(answer_template.inputs);
  key["max_length"] = answer_template.max_length;
  key["identity"] = augmentation.identity;
  key["swap"] = augmentation.swap;
  constexpr size_t kDigits = 24;
  return "mocha-" + sha256(key.dump()).substr(0, kDigits) + ".h5";
}

void make_folder(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) return;
  throw InputError("cannot make the folder of the token store: " + error.message(),
                   directory.string(), "set data.store to another folder");
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

StoredAnswers open_answers(const std::filesystem::path& source,
                           const std::filesystem::path& directory, const Tokenizer& tokenizer,
                           const AnswerTemplate& answer_template,
                           const Augmentation& augmentation) {
  StoredAnswers stored;
  stored.source = source;
  if (!directory.empty()) {
    stored.source_sha256 = sha256_file(source);
    stored.store =
        directory / store_name(stored.source_sha256, tokenizer, answer_template, augmentation);
    if (std::filesystem::exists(stored.store)) {
      stored.rows = read_token_store(stored.store);
      require_lengths(*stored.rows, answer_template.max_length, stored.store);
      return stored;
    }
  }
  stored.answers = augment(read_mocha(source), augmentation);
  require_scores(stored.answers, source.string());
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
