#include "eval/result/training.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "core/files/files.h"
#include "eval/result/layouts.h"
#include "eval/result/render.h"

namespace rubric::eval {
namespace {

// A score on dev rows, which is undefined where all labels or all scores are equal.
Measurement score_of(const Keys& keys, const std::string& statistic, std::optional<double> value) {
  return {.keys = keys,
          .statistic = statistic,
          .value = value,
          .why_missing = value ? "" : "undefined: all labels or all scores are equal"};
}

// {"loss": 0.5, "sources": {"boolq": {"loss": 0.25}}}, {"constituents": {"drop": 0.75}}: what an
// object has is of a group, whose number alone is the statistic itself.
void add_parts(const RunOutcome& outcome, const Json& parts, const std::string& group,
               std::vector<Measurement>& all) {
  if (!parts.is_object()) return;
  for (const auto& [name, part] : parts.object()) {
    if (part.is_number() && (name != outcome.statistic || !group.empty())) {
      all.push_back({.keys = {.group = group}, .statistic = name, .value = part.number()});
    }
    if (!part.is_object()) continue;
    for (const auto& [of, value] : part.object()) {
      if (of.empty()) continue;  // rows without one: all rows
      if (value.is_object()) {
        add_parts(outcome, value, of, all);
      } else {
        all.push_back(score_of({.group = of}, outcome.statistic,
                               value.is_number() ? std::optional(value.number()) : std::nullopt));
      }
    }
  }
}

void add_best(std::span<const ValidationPoint> validations, const RunOutcome& outcome,
              std::vector<Measurement>& all) {
  const auto best = std::ranges::find_if(validations.rbegin(), validations.rend(),
                                         [](const ValidationPoint& one) { return one.is_best; });
  if (outcome.statistic.empty() || best == validations.rend()) return;
  all.push_back(score_of({}, outcome.statistic, best->value));
  add_parts(outcome, outcome.parts, "", all);
  if (best->dev_loss) all.push_back({.statistic = "dev_loss", .value = best->dev_loss});
  all.push_back(count_of({}, "updates", outcome.updates));
  all.push_back(count_of({}, "best_update", best->step));
  if (validations.front().step == 0) {
    all.push_back(count_of({}, "start_kept", best->step == 0 ? 1 : 0));
  }
}

}  // namespace

Result training_result(std::span<const ValidationPoint> validations, const RunOutcome& outcome) {
  Result result;
  add_best(validations, outcome, result.measurements);
  for (const DevValue& each : outcome.comparison) {
    result.measurements.push_back(score_of({.metric = each.name}, outcome.statistic, each.value));
  }
  if (!outcome.comparison.empty()) {
    std::string title = "On the dev rows";
    if (validations.size() > 1) {
      title += "; this run: the best of " + std::to_string(validations.size()) +
               " validations on these rows";
    }
    result.tables = {
        read_layout("result", "dev", {{"title", title}, {"statistic", outcome.statistic}})};
  }
  const auto number = [](std::optional<double> value) {
    return value ? RecordValue(*value) : RecordValue();
  };
  RecordRows rows;
  for (const ValidationPoint& point : validations) {
    rows.push_back({point.epoch, point.step, number(point.train_loss), number(point.dev_loss),
                    point.value ? number(point.value) : "undefined", point.is_best ? "yes" : ""});
  }
  result.records = {held_records(
      {.name = "validations",
       .title = "Validation",
       .columns = {"epoch", "update", "training loss", "dev loss", "dev score", "best yet"},
       .key_columns = 2,
       .decimals = 4},
      std::move(rows))};
  return result;
}

void visit_log(const std::filesystem::path& log, const EventVisitor& visit) {
  LineReader lines(log);
  for (std::string line; lines.next(line);) {
    const std::string where = lines.where();
    const Json event = Json::parse(line, where);
    visit(event, event.require_string("event", where), where);
  }
}

}  // namespace rubric::eval
