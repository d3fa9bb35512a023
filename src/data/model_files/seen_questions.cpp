#include "data/model_files/seen_questions.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <iterator>
#include <set>
#include <string>
#include <utility>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/random.h"
#include "core/text/utf8.h"
#include "text/unicode/unicode.h"

namespace rubric::data {
namespace {

namespace fs = std::filesystem;

constexpr const char *kTrainedFile = "trained_questions.bin", *kTunedFile = "tuned_questions.bin";
constexpr size_t kBytes = 8;  // of a hash

std::vector<uint64_t> read_list(const fs::path& file) {
  constexpr const char* kWhatToDo =
      "copy the model directory again; or set question_hashes: none in its rubric.yaml";
  const std::string bytes = read_file(file);
  if (bytes.size() % kBytes != 0) {
    throw InputError("the list of questions is damaged: its size is no multiple of 8 bytes",
                     file.string(), kWhatToDo);
  }
  std::vector<uint64_t> hashes(bytes.size() / kBytes);
  for (size_t i = 0; i < bytes.size(); ++i) {
    hashes[i / kBytes] = hashes[i / kBytes] << 8 | static_cast<unsigned char>(bytes[i]);
  }
  if (std::ranges::adjacent_find(hashes, std::greater_equal()) == hashes.end()) return hashes;
  throw InputError("the list of questions is damaged: its hashes do not ascend", file.string(),
                   kWhatToDo);
}

void write_list(const fs::path& file, const std::vector<uint64_t>& hashes) {
  std::string bytes;
  for (const uint64_t hash : hashes) {
    for (size_t shift = 8 * kBytes; shift > 0; shift -= 8) {
      bytes += static_cast<char>(hash >> (shift - 8) & 0xFF);
    }
  }
  write_file(file, bytes);
}

}  // namespace

std::optional<uint64_t> question_hash(std::string_view question) {
  const std::string decomposed = text::to_nfd(question);
  std::string kept;
  for (size_t i = 0; i < decomposed.size();) {
    const size_t start = i;
    if (text::is_bert_punctuation(decode_utf8(decomposed, i))) continue;
    kept.append(decomposed, start, i - start);
  }
  const std::string normalised = text::normalize_answer(kept);
  if (normalised.empty()) return std::nullopt;
  return sha256_bits(normalised);
}

Seen SeenQuestions::of(uint64_t hash) const {
  if (std::ranges::binary_search(trained, hash)) return Seen::trained;
  return std::ranges::binary_search(tuned, hash) ? Seen::tuned : Seen::no;
}

Seen SeenQuestions::of(std::string_view question) const {
  const std::optional<uint64_t> hash = question_hash(question);
  return hash ? of(*hash) : Seen::no;
}

void SeenQuestions::add(const SeenQuestions& more) {
  for (const auto list : {&SeenQuestions::trained, &SeenQuestions::tuned}) {
    std::vector<uint64_t> all;
    std::ranges::set_union(this->*list, more.*list, std::back_inserter(all));
    this->*list = std::move(all);
  }
}

std::string seen_signature(int64_t trained, int64_t tuned, int64_t rows) {
  std::vector<std::string> shares;
  if (trained > 0) shares.push_back("seen:" + share_text(trained, rows));
  if (tuned > 0) shares.push_back("tuned:" + share_text(tuned, rows));
  return shares.empty() ? "" : "|" + join(shares, ",");
}

std::string share_text(int64_t part, int64_t all) {
  const double share = 100.0 * static_cast<double>(part) / static_cast<double>(all);
  const auto rounded = std::lround(share);
  if (rounded == 0 && part > 0) return "<1%";
  if (rounded == 100 && part < all) return ">99%";
  return std::to_string(rounded) + "%";
}

SharedQuestions shared_questions(std::span<const Answer> train, std::span<const Answer> dev,
                                 bool reads_passage) {
  const auto keys_of = [&](const Answer& answer) {
    const std::optional<uint64_t> question = question_hash(answer.question);
    const uint64_t asked = mix(question.value_or(0)), passage = sha256_bits(answer.passage);
    std::vector<uint64_t> keys;
    if (question) keys.push_back(mix(asked ^ passage));
    for (const std::string& reference : answer.references) {
      const uint64_t key = asked ^ sha256_bits("reference " + reference);
      if (!question) keys.push_back(mix(key ^ passage));
      if (question && !reads_passage) keys.push_back(key);
    }
    return keys;
  };
  std::set<uint64_t> trained, all, in_both;
  for (const Answer& answer : train) {
    for (const uint64_t key : keys_of(answer)) trained.insert(key);
  }
  SharedQuestions shared;
  for (const Answer& answer : dev) {
    const std::vector<uint64_t> keys = keys_of(answer);
    all.insert(keys.front());
    if (std::ranges::none_of(keys, [&](uint64_t key) { return trained.contains(key); })) continue;
    if (in_both.empty()) {
      shared.is_reference = !question_hash(answer.question);
      shared.example = shared.is_reference ? answer.references.front() : answer.question;
    }
    in_both.insert(keys.front());
  }
  shared.count = std::ssize(in_both);
  shared.all = std::ssize(all);
  return shared;
}

std::string shared_note(const SharedQuestions& shared) {
  return std::to_string(shared.count) + " of " +
         counted(shared.all, shared.is_reference ? "dev reference" : "dev question") + " (" +
         share_text(shared.count, shared.all) + (shared.count == 1 ? ") is" : ") are") +
         " in the training rows, too, such as " + json_quote(shared.example) +
         ": the dev score says little of new ones; divide the rows with `rubric split --by " +
         (shared.is_reference ? "FIELD`, the field of the references" : "question`");
}

std::string start_note(const std::string& name, const SeenQuestions& seen,
                       std::span<const uint64_t> dev) {
  std::string counts;
  for (const auto& [how, part] : {std::pair(Seen::trained, "training"), {Seen::tuned, "tuning"}}) {
    const int64_t count =
        std::ranges::count_if(dev, [&](uint64_t hash) { return seen.of(hash) == how; });
    if (count == 0) continue;
    const std::string share = " (" + share_text(count, std::ssize(dev)) + ")";
    if (counts.empty()) {
      counts = std::to_string(count) + " of " + counted(std::ssize(dev), "dev question") + share +
               (count == 1 ? " was in the " : " were in the ") + part + " of " + name;
    } else {
      counts += " and " + std::to_string(count) + share + " in its " + part;
    }
  }
  if (counts.empty()) return "";
  return counts +
         ": its dev score says little of new questions, nor does that of a model trained "
         "from it; take dev rows with other questions";
}

std::vector<uint64_t> question_list(std::span<const std::string> questions) {
  std::vector<uint64_t> hashes;
  for (const std::string& question : questions) {
    if (const auto hash = question_hash(question)) hashes.push_back(*hash);
  }
  std::ranges::sort(hashes);
  const auto repeated = std::ranges::unique(hashes);
  hashes.erase(repeated.begin(), repeated.end());
  return hashes;
}

std::optional<SeenQuestions> read_seen_questions(const fs::path& model_directory) {
  if (read_model_card(model_directory).question_hashes == kNoQuestionHashes) return std::nullopt;
  return SeenQuestions{read_list(model_directory / kTrainedFile),
                       read_list(model_directory / kTunedFile)};
}

void write_seen_questions(const fs::path& directory, const std::optional<SeenQuestions>& questions,
                          ModelCard& card) {
  if (!questions) return;
  write_list(directory / kTrainedFile, questions->trained);
  write_list(directory / kTunedFile, questions->tuned);
  card.question_hashes = kQuestionNormalisation;
}

SeenRows find_seen(const std::optional<SeenQuestions>& seen,
                   std::span<const std::string> questions) {
  SeenRows rows;
  for (size_t i = 0; seen && i < questions.size(); ++i) {
    const Seen how = seen->of(questions[i]);
    if (how == Seen::trained) rows.trained.push_back(i);
    if (how == Seen::tuned) rows.tuned.push_back(i);
  }
  return rows;
}

void SeenRecords::find(std::span<const Answer> records) {
  records_ = std::ssize(records);
  std::vector<std::string> questions;
  for (const Answer& record : records) questions.push_back(record.question);
  found_ = find_seen(questions_, questions);
}

std::string SeenRecords::signature() const {
  return seen_signature(std::ssize(found_.trained), std::ssize(found_.tuned), records_);
}

}  // namespace rubric::data
