// Metrics: which there are, and making one by name and settings.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "rubric/context.h"
#include "rubric/export.h"
#include "rubric/records.h"

namespace rubric {

// Scores do not depend on how records are batched (to 1e-5). Not thread-safe: a metric may cache
// data between records. Several metrics may score at once, each on its own thread; one that needs
// no model uses Context::threads itself.
template <class Record>
class RUBRIC_PUBLIC Metric {
 public:
  virtual ~Metric() = default;
  // In the order of the records. Throws InputError for an answer without reference, Interrupted
  // when the token of the context that the metric was made with is cancelled.
  virtual Scores score(std::span<const Record> records) = 0;
  // Everything that the scores depend on, in sacreBLEU's form: "lerc|model:3f9a…|rubric:0.1.0".
  // Its counts (of cut texts, of references) are those of the records scored last.
  virtual std::string signature() const = 0;
};

struct SettingInfo {
  std::string name;        // "layer"
  std::string value_name;  // "N"; "" for a flag
  std::string help;
};

struct MetricInfo {
  std::string name, summary;
  std::vector<std::string> aliases;  // other names that it answers to
  std::string record;                // what it scores: "answer", "source_target" or "rationale"
  bool needs_model = false;
  std::string default_model;  // shipped, used where no model is named; "": one must be named
  std::vector<SettingInfo> settings;
  std::string example;  // of a call, as the command
};

// The score of all records together, one for each name: a corpus score where the metric has one,
// else the mean of the rows. Throws Error without rows.
RUBRIC_PUBLIC std::vector<double> score_of_all(const Scores& scores);

// Every metric, those that need libtorch too.
RUBRIC_PUBLIC std::vector<MetricInfo> list_metrics();

// By a setting's name: its value as text, "" for a flag.
using SettingValues = std::map<std::string, std::string>;

// Makes a metric of answers that needs no model. It scores in `context`, whose observer must
// outlive it. Throws InputError for an unknown name or setting, with the nearest one, for a metric
// that needs a model, and for METEOR without its data in context.resources.
RUBRIC_PUBLIC std::unique_ptr<Metric<Answer>> make_metric(const std::string& name,
                                                          const SettingValues& settings = {},
                                                          const Context& context = {});

}  // namespace rubric
