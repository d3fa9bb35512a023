// Declared in eval/neural/score_models.h.
#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <unordered_set>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/json/json.h"
#include "core/system/log.h"
#include "data/model_files/model_directory.h"
#include "data/rationales/rationale_rows.h"
#include "data/rows/resumable_rows.h"
#include "data/rows/rows.h"
#include "distributed/collective.h"
#include "eval/neural/score_models.h"
#include "metrics/neural/likelihood_kind.h"
#include "metrics/neural/model_use.h"
#include "rubric/version.h"
#include "stats/bootstrap.h"

namespace rubric::eval {
namespace {

constexpr int64_t kWindow = 1024;  // rows whose likelihoods are computed together
constexpr const char* kScores = "scores";

// What is scored, and with what.
struct Call {
  const ScoreRequest& request;
  metrics::RationaleMetric& metric;
  bool keep_going;  // count rows that cannot be scored
};

void visit_request(
    const ScoreRequest& request,
    const std::function<void(Json row, int64_t number, const std::string& where)>& visit) {
  int64_t number = 0;
  const data::InputFormat format = data::input_format(request.row_format, request.input);
  data::visit_rows(request.input, format, [&](Json row, const std::string& where) {
    end_if_stop_requested();
    visit(std::move(row), ++number, where);
    return number != request.limit;
  });
  if (number == 0) throw no_rows(request.input);
}

// How the row's baseline was made, as `derive vacuous-rationales` names it.
std::string baseline_maker(const Json& row, const std::string& where) {
  const std::string maker = data::optional_text(row, "baseline_by", where);
  return maker.empty() ? "given" : maker;
}

// The file's rows, as hashes, and which of them cannot be scored.
struct Checked {
  std::vector<uint64_t> rows;
  std::unordered_set<int64_t> unscored;
};

uint64_t hash_of(const Json& row) {
  return sha256_bits(row.dump());
}

// Throws InputError for the first row that cannot be scored, unless such rows are to be counted.
Checked check_rows(const Call& call) {
  Checked checked;
  constexpr int64_t kToldWhole = 10;
  std::vector<std::string> others;  // "file:line: ID"
  std::unordered_set<std::string> ids;
  visit_request(call.request, [&](const Json& row, int64_t number, const std::string& where) {
    checked.rows.push_back(hash_of(row));
    try {
      data::check_scores_member(row, kScores, where);
      baseline_maker(row, where);
      const data::Rationale record =
          data::rationale_of(row, number, where, data::Baselines::required);
      if (!ids.insert(record.id).second) {
        throw InputError("the id is there twice", where + ": " + record.id,
                         "give each row an id of its own");
      }
      call.metric.check(record, where);
    } catch (const InputError& error) {
      if (!call.keep_going) throw;
      checked.unscored.insert(number);
      if (std::ssize(checked.unscored) <= kToldWhole) {
        log_warning(std::string("not scored: ") + error.what());
        return;
      }
      const Json* const id = row.find("id");
      const bool is_named = id != nullptr && (id->is_string() || id->is_number());
      others.push_back(where + (is_named ? ": " + data::optional_text(row, "id", where) : ""));
    }
  });
  if (!others.empty()) {
    log_warning("not scored, " + std::to_string(others.size()) + " more: " + join(others, "; "));
  }
  if (checked.unscored.size() == checked.rows.size()) {
    throw InputError("no row can be scored", call.request.input,
                     "give rows that have what the lines above miss");
  }
  return checked;
}

Json identity_of(const ScoreRequest& request, const metrics::RationaleMetric& metric) {
  Json identity;
  identity["rubric"] = version_with_build();
  identity["metric"] = metric.signature();
  identity["input"] = sha256_file(request.input);
  identity["input-format"] = request.row_format.input_format;
  identity["limit"] = std::to_string(request.limit);
  return identity;
}

// The part of an input row that its scored row keeps.
Json without_scores(const Json& row) {
  Json others{Json::Object()};
  for (const auto& [name, value] : row.object()) {
    if (name != kScores) others[name] = value;
  }
  return others;
}

// Removes the scores of an earlier call from a row that cannot be scored now.
void drop_scores(const Call& call, Json& row) {
  const Json* const scores = row.find(kScores);
  if (scores == nullptr || !scores->is_object()) return;
  row[kScores] = data::other_scores(*scores, call.metric.names());
}

struct Window {
  int64_t first = 0;  // of its records, among those that are checked
  std::vector<Json> rows;
  std::vector<size_t> places;          // each record's index among the rows
  std::vector<std::string> locations;  // "file:line: ID" of each record
};

// Writes the rows if there is an output, on rank 0.
void score_window(const Call& call, Window& window, std::optional<data::ResumableRows>& out) {
  const int64_t end = window.first + std::ssize(window.places);
  const data::Scores scores = call.metric.score(window.first, end);
  for (size_t i = 0; i < window.places.size(); ++i) {
    Json& row = window.rows[window.places[i]];
    if (std::ranges::all_of(scores.rows[i], [](double x) { return std::isfinite(x); })) {
      data::add_row_scores(row, kScores, scores.names, scores.rows[i]);
      continue;
    }
    const Error error("the model gives a token a log-probability that is not finite",
                      window.locations[i],
                      "use other weights, or --keep-going, which leaves the row without scores");
    if (!call.keep_going) throw error;
    log_warning(std::string("not scored: ") + error.what());
    drop_scores(call, row);
  }
  if (out) out->append(window.rows);
  window = {};
  window.first = end;
}

void score_rows(const Call& call, const Checked& checked, int64_t done,
                std::optional<data::ResumableRows>& out) {
  const InputError changed("the file has changed since its rows were checked", call.request.input,
                           "score a file that nothing writes to");
  const int64_t rows = std::ssize(checked.rows);
  int64_t read = 0;
  if (done > 0) log_info("resuming after row " + std::to_string(done));
  Progress progress("scoring", rows, done);
  std::optional<data::MadeRows> made;
  if (out) made.emplace(*out, rows);
  Window window;
  visit_request(call.request, [&](Json row, int64_t number, const std::string& where) {
    read = number;
    if (number > rows || hash_of(row) != checked.rows[static_cast<size_t>(number - 1)])
      throw changed;
    const bool is_scored = !checked.unscored.contains(number);
    if (number <= done) {
      if (made) made->require_next(without_scores(row));
      window.first += is_scored ? 1 : 0;
      return;
    }
    if (!is_scored) {
      drop_scores(call, row);
    } else {
      const data::Rationale record =
          data::rationale_of(row, number, where, data::Baselines::required);
      window.places.push_back(window.rows.size());
      window.locations.push_back(where + ": " + record.id);
    }
    window.rows.push_back(std::move(row));
    if (std::ssize(window.rows) < kWindow && number < rows) return;
    score_window(call, window, out);
    progress.update(number);
  });
  if (read < rows) throw changed;
}

// Totals over all rows, including those finished before a stop.
struct Finished {
  int64_t rows = 0, scored = 0;
  std::map<std::string, stats::Moments> moments;
  std::map<std::string, int64_t> baselines;  // of the scored rows, by how they were made
};

Finished read_finished(const std::filesystem::path& output, const std::vector<std::string>& names) {
  Finished finished;
  data::visit_rows(output, data::InputFormat::kJsonl,
                   [&](const Json& row, const std::string& where) {
                     ++finished.rows;
                     const Json* const scores = row.find(kScores);
                     if (scores == nullptr || scores->find(names.front()) == nullptr) return true;
                     ++finished.scored;
                     ++finished.baselines[baseline_maker(row, where)];
                     for (const std::string& name : names) {
                       finished.moments[name].add(scores->require_number(name, where));
                     }
                     return true;
                   });
  return finished;
}

// "|baselines:rules=2190,statements=4|not_scored:1/2195"
std::string rationale_signature(const Finished& finished) {
  std::vector<std::string> baselines;
  for (const auto& [maker, rows] : finished.baselines) {
    baselines.push_back(maker + "=" + std::to_string(rows));
  }
  std::string signature = "|baselines:" + signature_texts(baselines);
  if (finished.scored < finished.rows) {
    signature += "|not_scored:" + std::to_string(finished.rows - finished.scored) + "/" +
                 std::to_string(finished.rows);
  }
  return signature;
}

}  // namespace

std::vector<FileScore> score_rationales(const distributed::Ranks& ranks,
                                        const ScoreRequest& request, const Scoring& scoring) {
  data::require_rows(data::input_format(request.row_format, request.input), request.input);
  const metrics::MetricKind& kind = *scoring.metrics.front();
  const std::string name(kind.name);
  const std::unique_ptr<metrics::RationaleMetric> metric = metrics::make_rationale_metric(
      kind, {scoring.models.at(name), scoring.settings, /*show_progress=*/true, ranks});
  const Call call{request, *metric, scoring.settings.has(metrics::kKeepGoing)};
  Json facts;
  facts[name] = metric->signature();
  distributed::require_agreement(ranks, facts);
  ranks.set_activity("checking the rows");
  const Checked checked = check_rows(call);
  ranks.set_activity("scoring");
  std::optional<data::ResumableRows> out;  // only on rank 0
  const int64_t done = distributed::broadcast_from_main(ranks, [&] {
    out.emplace(request.output, identity_of(request, *metric), kWindow);
    return out->done();
  });
  score_rows(call, checked, done, out);
  if (!out) return {};
  const Finished finished = read_finished(out->unfinished(), metric->names());
  if (finished.scored == 0) {
    throw Error("the model gives no row log-probabilities that are finite", request.input,
                "delete " + out->unfinished().string() + " and use other weights");
  }
  if (!call.keep_going && finished.scored < finished.rows) {
    throw Error(
        "a call with --keep-going left rows unscored whose log-probabilities are not finite",
        out->unfinished().string(), "add --keep-going, or delete it to start over");
  }
  out->commit();
  const std::string signature = metric->signature() + rationale_signature(finished);
  if (finished.scored < finished.rows) {
    log_warning(std::to_string(finished.rows - finished.scored) + " of " +
                std::to_string(finished.rows) + " rows are not scored");
  }
  std::vector<FileScore> means;
  for (const auto& [score, moments] : finished.moments) {
    const stats::MeanInterval mean = stats::mean_interval(moments);  // of nats, without bounds
    const auto interval =
        moments.n > 1 ? std::optional(Interval{mean.low, mean.high}) : std::nullopt;
    means.push_back({score, mean.mean, interval, moments.n, signature});
  }
  write_summary(request, means);
  return means;
}

}  // namespace rubric::eval
