#include "cli/score_rationales.h"

#include <map>
#include <unordered_set>

#include "core/error.h"
#include "core/files.h"
#include "core/hash.h"
#include "core/log.h"
#include "core/progress.h"
#include "core/signals.h"
#include "core/version.h"
#include "data/model_directory.h"
#include "data/rationale_rows.h"
#include "data/resumable_rows.h"
#include "data/row_scores.h"
#include "data/rows.h"
#include "neural_metrics/rev.h"

namespace rubric {
namespace {

constexpr int64_t kWindow = 1024;  // rows whose likelihoods are computed together

Rev open_evaluators(const ScoreRequest& request, const std::string& model) {
  if (request.baseline_model.empty()) return {find_model(model), std::nullopt};
  return {find_model(model), find_model(request.baseline_model)};
}

void visit_request(
    const ScoreRequest& request,
    const std::function<void(Json row, int64_t number, const std::string& where)>& visit) {
  int64_t number = 0;
  const InputFormat format = input_format(request.input_format, request.input);
  visit_rows(request.input, format, [&](Json row, const std::string& where) {
    end_if_stop_requested();
    visit(std::move(row), ++number, where);
    return number != request.limit;
  });
  if (number == 0) throw InputError("the file has no rows", request.input);
}

// Which rows of the file there are, and which of them cannot be scored.
struct Checked {
  int64_t rows = 0;
  std::unordered_set<int64_t> unscored;
};

// Throws InputError for the first row that cannot be scored, unless they are to be counted.
Checked check_rows(const ScoreRequest& request, const Rev& rev) {
  Checked checked;
  std::vector<std::string> problems;
  visit_request(request, [&](const Json& row, int64_t number, const std::string& where) {
    ++checked.rows;
    try {
      check_scores_member(row, "scores", where);
      rev.check(rationale_of(row, number, where, Baselines::required));
    } catch (const InputError& error) {
      if (!request.keep_going) throw;
      checked.unscored.insert(number);
      problems.emplace_back(error.what());
    }
  });
  for (const std::string& problem : problems) log_warning("not scored: " + problem);
  if (std::ssize(checked.unscored) == checked.rows) {
    throw InputError("no row can be scored", request.input);
  }
  return checked;
}

Json identity_of(const ScoreRequest& request, const Rev& rev) {
  Json identity;
  identity["rubric"] = kVersion;
  identity["metric"] = rev.signature();
  identity["input"] = sha256_file(request.input);
  identity["input-format"] = request.input_format;
  identity["limit"] = std::to_string(request.limit);
  identity["keep-going"] = request.keep_going ? "yes" : "no";
  return identity;
}

// What an earlier call gave a row that cannot be scored now.
void drop_scores(Json& row) {
  const Json* const scores = row.find("scores");
  if (scores == nullptr || !scores->is_object()) return;
  Json others{Json::Object()};
  for (const auto& [name, value] : scores->object()) {
    if (name != "rev" && name != "rev_with" && name != "rev_without") others[name] = value;
  }
  row["scores"] = std::move(others);
}

struct Window {
  std::vector<Json> rows;
  std::vector<Rationale> records;
  std::vector<size_t> places;  // of each record among the rows
};

void score_window(Rev& rev, Window& window, ResumableRows& out) {
  const Scores scores = rev.score(window.records);
  for (size_t i = 0; i < window.places.size(); ++i) {
    add_row_scores(window.rows[window.places[i]], "scores", scores.names, scores.rows[i]);
  }
  out.append(window.rows);
  window = {};
}

void score_rows(const ScoreRequest& request, const Checked& checked, Rev& rev, ResumableRows& out) {
  const int64_t done = out.done();
  if (done > 0) log_info("going on after row " + std::to_string(done));
  Progress progress("scoring", checked.rows, done);
  Window window;
  visit_request(request, [&](Json row, int64_t number, const std::string& where) {
    if (number <= done) return;
    if (checked.unscored.contains(number)) {
      drop_scores(row);
    } else {
      window.records.push_back(rationale_of(row, number, where, Baselines::required));
      window.places.push_back(window.rows.size());
    }
    window.rows.push_back(std::move(row));
    if (std::ssize(window.rows) < kWindow && number < checked.rows) return;
    score_window(rev, window, out);
    progress.update(number);
  });
}

// Of the finished file: what was there before a stop counts too.
std::map<std::string, Moments> moments_of(const std::string& output) {
  std::map<std::string, Moments> moments;
  visit_rows(output, InputFormat::jsonl, [&](const Json& row, const std::string&) {
    const Json* const scores = row.find("scores");
    for (const char* const name : {"rev", "rev_with", "rev_without"}) {
      const Json* const score = scores == nullptr ? nullptr : scores->find(name);
      if (score != nullptr) moments[name].add(score->number());
    }
    return true;
  });
  return moments;
}

}  // namespace

void score_rationales(const ScoreRequest& request, const std::string& model) {
  catch_stop_signals();
  Rev rev = open_evaluators(request, model);
  const Checked checked = check_rows(request, rev);
  ResumableRows out(request.output, identity_of(request, rev), kWindow);
  score_rows(request, checked, rev, out);
  out.commit();
  std::string signature = rev.signature();
  if (!checked.unscored.empty()) {
    log_warning(std::to_string(checked.unscored.size()) + " of " + std::to_string(checked.rows) +
                " rows are not scored");
    signature += "|not_scored:" + std::to_string(checked.unscored.size()) + "/" +
                 std::to_string(checked.rows);
  }
  Json summary{Json::Object()};
  for (const auto& [name, moments] : moments_of(request.output)) {
    summary[name] = summarise(name, mean_interval(moments), moments.n, signature);
  }
  if (!request.summary.empty()) write_file(request.summary, summary.dump(2) + "\n");
}

}  // namespace rubric
