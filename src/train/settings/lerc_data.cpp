#include "train/settings/lerc_data.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/answers/answer_rows.h"
#include "data/rows/missing_values.h"
#include "data/tasks/lerc_kind.h"
#include "data/tokens/tokenized_answers.h"
#include "metrics/ngram/answer_features.h"
#include "metrics/ngram/nearest_references.h"

namespace rubric::train {

namespace {

std::string describe_rows(const char* name, const data::TokenizedAnswers& answers) {
  const auto rows = std::ranges::count(answers.same_answer, 0);
  return std::string(name) + " " + std::to_string(rows) + " rows, " +
         (rows == answers.rows()
              ? ""
              : std::to_string(answers.rows()) + " with each of their references, ") +
         std::to_string(answers.tokens.ids.size()) + " tokens, " +
         std::to_string(std::count(answers.truncated.begin(), answers.truncated.end(), 1)) +
         " rows cut";
}

using Labels = std::map<std::string, std::set<double>>;  // by constituent

Labels labels_of(const StoredAnswers& stored) {
  Labels labels;
  for (const data::Answer& answer : stored.answers)
    labels[answer.constituent].insert(*answer.score);
  const int64_t rows = stored.rows ? stored.rows->rows() : 0;
  for (size_t i = 0; i < static_cast<size_t>(rows); ++i) {
    labels[stored.rows->constituents[i]].insert(stored.rows->labels[i]);
  }
  return labels;
}

// Removes held-out constituents; throws if none remain.
void hold_out_labels(Labels& labels, const std::vector<std::string>& hold_out,
                     const std::string& file, const char* key) {
  std::set<std::string> known;
  for (const auto& [constituent, values] : labels) known.insert(constituent);
  data::require_constituents(hold_out, known, file + " (data.hold_out)");
  for (const std::string& name : hold_out) labels.erase(name);
  if (!labels.empty()) return;
  throw InputError("no row is left after data.hold_out", file + " (" + key + ")",
                   "hold out fewer constituents");
}

std::set<double> values_of(const Labels& labels) {  // of all constituents
  std::set<double> all;
  for (const auto& [constituent, values] : labels) all.insert(values.begin(), values.end());
  return all;
}

// Pearson's r needs scores that differ: within each constituent or, if pooled, over all.
void require_varied_labels(const Labels& labels, bool pooled, const std::string& file) {
  if (pooled) {
    if (values_of(labels).size() > 1) return;
    throw InputError("all scores are the same, so no correlation is defined", file + " (data.dev)",
                     "name a file with scores that differ");
  }
  for (const auto& [constituent, values] : labels) {
    if (values.size() > 1) continue;
    throw InputError("all scores" + (constituent.empty() ? "" : " of \"" + constituent + "\"") +
                         " are the same, so no correlation is defined",
                     file + " (data.dev)",
                     constituent.empty() ? "name a file with scores that differ"
                                         : "hold it out, or set run.pooled_validation: true");
  }
}

// Everything that the tokenised rows depend on.
std::string store_name(const std::string& source_sha256, const AnswerSource& source,
                       const text::Tokenizer& tokenizer,
                       const data::AnswerTemplate& answer_template,
                       const data::Augmentation& augmentation) {
  Json key;
  key["format"] = data::kTokenStoreFormat;
  key["source"] = source_sha256;
  key["source_format"] = std::string(source.format.name);
  for (const auto& [ours, theirs] : source.fields) key["fields"][ours] = theirs;
  key["missing"] = data::missing_name(source.options.missing);
  key["reference_separator"] = source.options.reference_separator;
  key["reference"] = static_cast<int64_t>(source.reference);
  key["features"] = Json::Array(source.features.begin(), source.features.end());
  key["features_version"] = metrics::kFeaturesVersion;
  key["tokenizer"] = tokenizer.fingerprint();
  key["inputs"] = join(answer_template.inputs);
  key["second_segment"] = join(answer_template.second_segment);
  key["max_length"] = answer_template.max_length;
  key["cut"] = answer_template.cut;
  key["identity"] = augmentation.identity;
  key["swap"] = augmentation.swap;
  key["best"] = augmentation.best;
  constexpr size_t kDigits = 24;
  return "answers-" + sha256(key.dump()).substr(0, kDigits) + ".h5";
}

// Throws for a label outside the scale that the configuration names.
void require_on_scale(const StoredAnswers& stored, const std::vector<std::string>& hold_out,
                      const data::LabelScale& scale) {
  const auto check = [&](const data::Answer& answer) {
    const double score = *answer.score;
    if (scale.contains(score) || std::ranges::count(hold_out, answer.constituent) > 0) return;
    throw InputError(
        "the score " + Json(score).dump() + " is outside data.scale, " + data::scale_text(scale),
        data::record_place(stored.source.string(), answer),
        "correct data.scale or the score; without data.scale it is that of the labels");
  };
  for (const data::Answer& answer : stored.answers) check(answer);
  const int64_t rows = stored.rows ? stored.rows->rows() : 0;
  for (size_t i = 0; i < static_cast<size_t>(rows); ++i) {
    data::Answer row;
    row.id = stored.rows->ids[i];
    row.constituent = stored.rows->constituents[i];
    row.score = stored.rows->labels[i];
    check(row);
  }
}

// The least and the greatest label of both files. Throws for training labels from which nothing can
// be learned: all are equal, or on another scale than the dev labels.
data::LabelScale range_of(const Labels& train, const Labels& dev, const DataConfig& data) {
  const auto range = [](const Labels& labels) -> data::LabelScale {
    const std::set<double> all = values_of(labels);
    return {*all.begin(), *all.rbegin()};
  };
  const data::LabelScale train_range = range(train), dev_range = range(dev);
  if (train_range.low == train_range.high) {
    throw InputError(
        "all labels are " + Json(train_range.low).dump() + ", so nothing can be learned",
        data.train + " (data.train)", "name a file with labels that differ");
  }
  if (data.scale.empty() && data::are_on_two_scales(train_range, dev_range)) {
    throw InputError("the labels of data.train are from " + data::range_text(train_range) +
                         ", those of data.dev from " + data::range_text(dev_range),
                     data.train + " and " + data.dev,
                     "give both on one scale; or, where they are, name it with data.scale");
  }
  return {std::min(train_range.low, dev_range.low), std::max(train_range.high, dev_range.high)};
}

// The scale that the configuration names, else that of all labels. Copies of references, which
// augmentation adds, have the highest score before any label is read: on another scale than 1 to 5
// it must be named.
data::LabelScale scale_of(const DataConfig& data, const data::LabelScale& labels) {
  if (!data.scale.empty()) return data::parse_label_scale(data.scale, "data.scale");
  const data::LabelScale scale = data::scale_of_labels(labels.low, labels.high);
  const bool is_augmented = data.augment_identity || data.augment_swap;
  if (!is_augmented || scale == data::LabelScale()) return scale;
  throw InputError(
      "rows that are added with the highest score have 5, and the labels are not on the scale 1:5",
      data.augment_identity ? "data.augment_identity" : "data.augment_swap",
      "set data.scale to that of the labels, such as 0:1, or leave it out");
}

void make_folder(const std::filesystem::path& directory) {
  std::error_code error;
  std::filesystem::create_directories(directory, error);
  if (!error) return;
  throw InputError("cannot create the directory of the token store: " + error.message(),
                   directory.string(), "set data.store to another directory");
}

std::vector<data::Answer> read_source(const AnswerSource& source) {
  std::vector<data::Answer> answers =
      data::read_answers(source.file, source.format, source.fields, source.options);
  if (source.reference != RowReference::nearest) return answers;
  for (data::Answer& answer : answers) {
    std::swap(answer.references.front(),
              answer.references[metrics::nearest_references(answer).front()]);
  }
  return answers;
}

// The rows that are not held out. A token store holds no texts: the file is read again.
std::vector<data::Answer> answers_of(const StoredAnswers& stored, const AnswerSource& source,
                                     const std::vector<std::string>& hold_out) {
  std::vector<data::Answer> answers = stored.rows ? read_source(source) : stored.answers;
  std::erase_if(answers, [&](const data::Answer& answer) {
    return std::ranges::count(hold_out, answer.constituent) > 0;
  });
  return answers;
}

std::vector<uint64_t> questions_of(const std::vector<data::Answer>& answers) {
  std::vector<std::string> questions;
  for (const data::Answer& answer : answers) questions.push_back(answer.question);
  return data::question_list(questions);
}

// Keeps what is needed of the texts, and warns of what misleads.
void read_texts(const std::vector<data::Answer>& train, std::vector<data::Answer> dev,
                const TrainConfig& config, const data::AnswerTemplate& answer_template,
                LercData& result) {
  const DataConfig& data = config.data;
  result.questions = {questions_of(train), questions_of(dev)};
  if (data.scale.empty()) {  // of the labels, which would be too wide
    data::warn_of_stray_scores(
        train, [&](size_t) { return data.train; }, "data.scale: ");
    data::warn_of_stray_scores(
        dev, [&](size_t) { return data.dev; }, "data.scale: ");
  }
  data::warn_of_missing_inputs(train, answer_template, data.train);
  data::warn_of_missing_inputs(dev, answer_template, data.dev);
  if (config.task == data::kLercTask.name) {  // pairs of sentences are no questions
    const bool reads_passage = std::ranges::count(data.inputs, "passage") > 0;
    result.shared = data::shared_questions(train, dev, reads_passage);
    if (result.shared.count > 0) log_warning(data::shared_note(result.shared));
    result.few_note = few_rows_note(train.size(), dev.size());
    if (!result.few_note.empty()) log_warning(result.few_note);
  }
  result.dev_answers = std::move(dev);
}

// A store made for this template and these features has no others; a malicious one may.
void require_fit(const data::TokenizedAnswers& rows, int64_t longest, size_t features,
                 const std::filesystem::path& store) {
  if (rows.tokens.features.size() != static_cast<size_t>(rows.rows()) * features) {
    throw InputError("not a usable token store: its rows do not have " + std::to_string(features) +
                         " features each",
                     store.string(), "delete it; it is made again from its source");
  }
  for (int64_t row = 0; row < rows.rows(); ++row) {
    if (rows.tokens.length(row) <= longest) continue;
    throw InputError("not a usable token store: a row is longer than data.max_length",
                     store.string(), "delete it; it is made again from its source");
  }
}

}  // namespace

std::string few_rows_note(size_t train, size_t dev) {
  constexpr size_t kFew = 30;
  std::vector<std::string> few;
  const auto add = [&](size_t rows, const char* name, const char* what) {
    if (rows >= kFew) return;
    few.push_back(counted(static_cast<int64_t>(rows), name) + ": fewer than " +
                  std::to_string(kFew) + what);
  };
  add(train, "training row", " teach a model little");
  add(dev, "dev row", " hardly tell which model is better");
  return join(few, "; ");
}

void require_head(const HeadConfig& head) {
  const auto refuse = [](const char* problem, const char* key, const char* to_do) {
    throw InputError(problem, key, to_do);
  };
  const bool is_bounded = head.head.bounded, has_features = !head.head.features.empty();
  constexpr const char* kBound = "set head.bounded: true";
  if (head.loss == "cross_entropy" && !is_bounded) {
    refuse("cross entropy needs scores between two bounds", "head.loss", kBound);
  }
  if (has_features && !is_bounded) {
    refuse("features are read beside scores with bounds", "head.features", kBound);
  }
  if (has_features && head.rate != 1 && !head.keep) {
    refuse("with features the encoder is not trained, so that the head has no rate of its own",
           "head.rate", "leave it out and set optimizer.learning_rate");
  }
}

LercData load_lerc_data(const TrainConfig& config, const text::Tokenizer& tokenizer) {
  require_head(config.head);
  const DataConfig& data = config.data;
  const data::AnswerTemplate answer_template =
      data::template_of(config.task, data.inputs, data.max_length, data.cut, "data.inputs");
  const auto source_of = [&](const std::string& file, RowReference reference) -> AnswerSource {
    const std::string format = data.format == "auto" ? "" : data.format;
    return {file,
            data::input_format(format, file, "data.format"),
            reference,
            data::parse_field_names(data.fields),
            {data::missing_named(data.missing == "auto" ? "" : data.missing, "data.missing"),
             data.reference_separator,
             "--set data.reference_separator=", data::AnswerOptions::Label::needed},
            config.head.head.features};
  };

  const AnswerSource train_source = source_of(
      data.train, data.reference == "nearest" ? RowReference::nearest : RowReference::first);
  const AnswerSource dev_source = source_of(data.dev, RowReference::each);

  // 1. Read both files, to find errors before anything is tokenised.
  const double best = data.scale.empty() ? data::Augmentation().best
                                         : data::parse_label_scale(data.scale, "data.scale").high;
  StoredAnswers train = open_answers(train_source, data.store, tokenizer, answer_template,
                                     {data.augment_identity, data.augment_swap, best});
  StoredAnswers dev = open_answers(dev_source, data.store, tokenizer, answer_template, {});
  Labels train_labels = labels_of(train), dev_labels = labels_of(dev);
  hold_out_labels(train_labels, data.hold_out, data.train, "data.train");
  hold_out_labels(dev_labels, data.hold_out, data.dev, "data.dev");
  LercData result;
  result.labels = range_of(train_labels, dev_labels, data);
  result.scale = scale_of(data, result.labels);
  if (!data.scale.empty()) {
    require_on_scale(train, data.hold_out, result.scale);
    require_on_scale(dev, data.hold_out, result.scale);
  }
  require_varied_labels(dev_labels, config.run.pooled_validation, data.dev);
  read_texts(answers_of(train, train_source, data.hold_out),
             answers_of(dev, dev_source, data.hold_out), config, answer_template, result);

  // 2. Tokenise the rows.
  const std::filesystem::path dev_store = dev.store;
  const auto rows = [&](StoredAnswers stored, const std::string& file) {
    return data::without_constituents(tokenized(std::move(stored), tokenizer, answer_template),
                                      data.hold_out, file + " (data.hold_out)");
  };
  result.train = rows(std::move(train), data.train);
  result.dev = rows(std::move(dev), data.dev);
  if (std::ranges::count(result.dev.same_answer, 0) != std::ssize(result.dev_answers)) {
    throw InputError("not a usable token store: it has other rows than " + data.dev,
                     dev_store.string(), "delete it; it is made again from its source");
  }
  return result;
}

std::string describe(const LercData& data) {
  return describe_rows("train:", data.train) + "; " + describe_rows("dev:", data.dev) +
         "; labels from " + data::range_text(data.scale);
}

StoredAnswers open_answers(const AnswerSource& source, const std::filesystem::path& directory,
                           const text::Tokenizer& tokenizer,
                           const data::AnswerTemplate& answer_template,
                           const data::Augmentation& augmentation) {
  StoredAnswers stored;
  stored.source = source.file;
  stored.has_each_reference = source.reference == RowReference::each;
  stored.features = metrics::require_features(source.features, "head.features");
  if (!directory.empty()) {
    stored.source_sha256 = sha256_file(source.file);
    stored.store = directory / store_name(stored.source_sha256, source, tokenizer, answer_template,
                                          augmentation);
    if (std::filesystem::exists(stored.store)) {
      remove_abandoned_files(
          stored.store);  // files of killed writers, since the store exists already
      stored.rows = data::read_token_store(stored.store);
      require_fit(*stored.rows, answer_template.max_length, stored.features.size(), stored.store);
      return stored;
    }
  }
  stored.answers = data::augment(read_source(source), augmentation);
  data::require_scores(stored.answers, source.file.string());
  return stored;
}

data::TokenizedAnswers tokenized(StoredAnswers stored, const text::Tokenizer& tokenizer,
                                 const data::AnswerTemplate& answer_template) {
  if (stored.rows) return std::move(*stored.rows);
  if (!stored.store.empty()) make_folder(stored.store.parent_path());
  data::TokenizedAnswers rows;
  data::AnswerEncoder encoder(tokenizer, answer_template, stored.source.string());
  metrics::LongReferences too_long;
  for (const data::Answer& answer : stored.answers) {
    end_if_stop_requested();
    std::vector<float> of_answer;
    metrics::append_features(answer, stored.features, of_answer);
    metrics::ReadReferences read;
    if (stored.has_each_reference) {
      read = metrics::read_references(answer, encoder);
      too_long.add(read, answer);
    } else {  // the one that RowReference puts first
      read.fields.push_back(encoder.fields_of(answer, answer.references.front()));
    }
    for (size_t i = 0; i < read.fields.size(); ++i) {
      data::append_answer(answer, std::move(read.fields[i]), i > 0, encoder, rows);
      rows.tokens.features.insert(rows.tokens.features.end(), of_answer.begin(), of_answer.end());
    }
  }
  too_long.warn();
  if (!stored.store.empty()) {
    data::write_token_store(stored.store, rows, stored.source_sha256);
    log_info("tokenised " + std::to_string(rows.rows()) + " rows of " + stored.source.string() +
             " into " + stored.store.string());
  }
  return rows;
}

}  // namespace rubric::train
