// What is known of a metric without making it: `rubric list metrics`, the options of `score`, its
// help and the reading of a step's inputs come from here. No libtorch.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "core/json/json.h"
#include "data/records.h"
#include "rubric/metrics.h"

namespace rubric::data {
struct PairConfig;
struct SeenRows;
struct ShippedModel;
}  // namespace rubric::data

namespace rubric::metrics {

using rubric::Metric;

// What a metric scores. Metrics of different records are not scored in one call.
enum class RecordKind { answer, source_target, rationale };
const char* name_of(RecordKind record);  // "answer"

// A setting of a metric; an option of `score` of the same name. Metrics may share one.
struct Setting {
  enum class Type { flag, text, integer, file, model };

  const char* name;  // "int8"
  Type type = Type::flag;
  const char* value_name = "";  // of --help: "N"; "" for a flag
  const char* help = "";
  int64_t low = 0, high = 0;                       // of an integer
  std::span<const std::string_view> choices = {};  // of a text; empty: any
};

// The values of settings, as text; a setting that was not given has no value.
class Settings {
 public:
  Settings() = default;
  Settings(std::initializer_list<std::pair<const Setting&, std::string>> values);

  // Throws InputError for a value that is not a number or is out of range, an empty name of a file
  // or model, text that is not UTF-8, and text that is not among the choices.
  void set(const Setting& setting, const std::string& value = "");
  bool has(const Setting& setting) const { return values_.contains(setting.name); }
  std::string text(const Setting& setting) const;  // "" if not given
  std::optional<int64_t> integer(const Setting& setting) const;
  const std::map<std::string, std::string>& values() const { return values_; }

 private:
  std::map<std::string, std::string> values_;  // by name
};

// What a metric tells of each row beside its scores.
class RowFields {
 public:
  virtual ~RowFields() = default;
  // The names of further fields of the rows, known before anything is scored; usually none.
  virtual std::vector<std::string> field_names() const { return {}; }
  // Their values for a row of those scored last, in that order; asked for once.
  virtual std::vector<Json> fields(size_t /*row*/) { return {}; }
  // The names of the fields of a scored row that speak of the score which is about to be replaced.
  // `suffix`: of a minimal pair's "scores1" and "scores2", else "".
  virtual std::vector<std::string> outdated_fields(const Json& /*row*/,
                                                   const std::string& /*suffix*/) const {
    return {};
  }
};

// A metric of answers, which may come in parts: begin(), score_part() for each, finish().
// signature() and finish() count over all parts. A metric that defines
// score() alone, as those with a model do, takes all answers in one part: its score_part() throws
// Error for a second.
class AnswerMetric : public Metric<data::Answer>, public RowFields {
 public:
  virtual void begin() { has_scored_ = false; }
  virtual Scores score_part(std::span<const data::Answer> records);
  virtual void finish() {}
  // Whether its model lists the questions that it has seen, and the records of those scored last
  // with such questions.
  virtual bool lists_questions() const { return false; }
  virtual const data::SeenRows& seen() const;
  // How many rows of those scored last are correct; nullopt where it was not asked which are.
  virtual std::optional<int64_t> right() const { return std::nullopt; }

 private:
  bool has_scored_ = false;
};

// A metric of sources and targets.
class SourceTargetMetric : public Metric<data::SourceTarget>, public RowFields {};

// A metric of rationales. Rows are checked one by one before the first is scored, and scored a
// window of them at a time.
class RationaleMetric {
 public:
  virtual ~RationaleMetric() = default;
  virtual std::vector<std::string> names() const = 0;  // of its scores
  // Throws InputError naming `where` and the record if it cannot be scored; else counts and keeps
  // what score() reads of it.
  virtual void check(const data::Rationale& record, const std::string& where) = 0;
  // The scores of the checked records [begin, end).
  virtual data::Scores score(int64_t begin, int64_t end) = 0;
  virtual std::string signature() const = 0;
};

struct MetricKind {
  std::string_view name, summary;  // the summary is one line, with the source
  std::span<const std::string_view> aliases = {};
  RecordKind record = RecordKind::answer;
  std::span<const Setting* const> settings = {};
  // Makes a metric without a model; null: it needs one (make_with_model).
  std::unique_ptr<AnswerMetric> (*make)(const Settings& settings) = nullptr;
  // The files that it reads besides rows, settings and model; null: none.
  std::vector<std::filesystem::path> (*files)() = nullptr;
  bool has_corpus_score = false;     // over a file, in place of the mean of the rows' scores
  bool normalises_as_squad = false;  // drops articles and punctuation, as SQuAD's scripts do
  bool reads_ascii_alone = false;    // of a text the letters a to z and digits, as rouge_score
  bool lower_is_better = false;      // of two scores
  bool is_recipe = false;            // made of a recipe (metrics/recipe.h), with a model
  bool resumes = false;  // `score` keeps rows when it is stopped, and goes on behind them
  const data::ShippedModel* default_model = nullptr;  // used where no model is named
  std::string_view example;  // a call of `score` without --input and --output

  bool needs_model() const { return make == nullptr; }
  std::string default_model_name() const;  // "": a model must be named
};

struct ModelUse;  // metrics/neural/model_use.h

// Makes a metric that needs a model. Each kind declares and defines that of its record; where one
// is missing, linking fails. Throws InputError when the model does not suit the metric.
template <const MetricKind& kind>
std::unique_ptr<AnswerMetric> make_answer_metric(const ModelUse& use);
// `config` says how rows become sources and targets.
template <const MetricKind& kind>
std::unique_ptr<SourceTargetMetric> make_source_target_metric(const ModelUse& use,
                                                              const data::PairConfig& config);
template <const MetricKind& kind>
std::unique_ptr<RationaleMetric> make_rationale_metric(const ModelUse& use);

}  // namespace rubric::metrics
