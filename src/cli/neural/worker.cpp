#include "cli/neural/worker.h"

#include <array>
#include <atomic>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstdint>
#include <deque>
#include <exception>
#include <memory>
#include <mutex>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <poll.h>
#include <unistd.h>

#include <ATen/Parallel.h>

#include "core/context.h"
#include "core/error.h"
#include "core/files/shipped_files.h"
#include "core/json/json.h"
#include "data/rows/seen_rows.h"
#include "eval/score/score.h"
#include "metrics/list.h"
#include "metrics/neural/model_use.h"
#include "models/plain_errors.h"

namespace rubric::cli {
namespace {

constexpr const char kPlace[] = "request";

// Fills `bytes` from standard input. Ends the process at its end, and when the parent has ended:
// another child of the parent may hold the other end of the pipe.
void read_exactly(char* bytes, size_t count, pid_t parent) {
  constexpr int kBetweenChecks = 500;  // milliseconds
  while (count > 0) {
    pollfd input{STDIN_FILENO, POLLIN, 0};
    const int ready = poll(&input, 1, kBetweenChecks);
    if (getppid() != parent) _exit(kDone);
    if (ready <= 0) continue;
    const ssize_t got = read(STDIN_FILENO, bytes, count);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) _exit(kDone);
    bytes += got;
    count -= static_cast<size_t>(got);
  }
}

Json read_frame(pid_t parent) {
  constexpr uint64_t kLongest = uint64_t{1} << 34;
  std::array<unsigned char, 8> bytes{};
  read_exactly(reinterpret_cast<char*>(bytes.data()), bytes.size(), parent);
  uint64_t length = 0;
  for (size_t i = bytes.size(); i > 0; --i) length = length << 8 | bytes[i - 1];
  if (length > kLongest) throw Error("a frame of " + std::to_string(length) + " bytes");
  std::string text(length, '\0');
  read_exactly(text.data(), text.size(), parent);
  return Json::parse(text, kPlace);
}

// Writes events as frames, from any thread.
class Events final : public Observer {
 public:
  explicit Events(int output) : output_(output) {}

  void set_request(int64_t id) { id_ = id; }  // that the next events are of

  void log(LogLevel level, const std::string& message) override {
    if (level == LogLevel::info) return;
    write({{"event", "warning"}, {"message", message}});
  }
  void progress(const ProgressUpdate& update) override {
    if (update.is_paused) return;
    write({{"event", "progress"}, {"done", update.done}, {"total", update.total}});
  }
  void error(const char* kind, const std::string& message) {
    write({{"event", "error"}, {"kind", kind}, {"message", message}});
  }
  void done(Json scores) { write(Json::Object{{"event", "done"}, {"scores", std::move(scores)}}); }

 private:
  void write(Json::Object members) {
    members.emplace_back("id", id_.load());
    const std::string text = Json(std::move(members)).dump();
    std::string frame;
    for (size_t shift = 0; shift < 64; shift += 8) {
      frame += static_cast<char>(text.size() >> shift & 0xFF);
    }
    frame += text;
    const std::lock_guard lock(mutex_);
    for (std::string_view rest = frame; !rest.empty();) {
      const ssize_t written = ::write(output_, rest.data(), rest.size());
      if (written < 0 && errno == EINTR) continue;
      if (written <= 0) _exit(kDone);  // nobody reads any more
      rest.remove_prefix(static_cast<size_t>(written));
    }
  }

  std::mutex mutex_;
  std::atomic<int64_t> id_ = 0;
  int output_;
};

// Requests that were read, and the cancellation of the one that is answered.
class Requests {
 public:
  // Reads without end.
  void read_all(pid_t parent) {
    while (true) {
      Json request = read_frame(parent);
      const int64_t id = request.require_integer("id", kPlace);
      const std::lock_guard lock(mutex_);
      const std::string& what = request.require_string("do", kPlace);
      if (what == "end") _exit(kDone);
      if (what != "cancel") {
        waiting_.push_back(std::move(request));
        arrived_.notify_one();
        continue;
      }
      cancelled_ = id;
      if (id == answered_) source_.cancel();
    }
  }

  // Waits for the next request, and makes its token.
  std::pair<Json, CancellationToken> next() {
    std::unique_lock lock(mutex_);
    arrived_.wait(lock, [&] { return !waiting_.empty(); });
    Json request = std::move(waiting_.front());
    waiting_.pop_front();
    answered_ = request.require_integer("id", kPlace);
    source_ = CancellationSource();
    if (cancelled_ == answered_) source_.cancel();
    return {std::move(request), source_.token()};
  }

 private:
  std::mutex mutex_;
  std::condition_variable arrived_;
  std::deque<Json> waiting_;
  CancellationSource source_;
  int64_t answered_ = -1, cancelled_ = -1;
};

std::unique_ptr<metrics::AnswerMetric> load(const Json& request) {
  const metrics::MetricKind& kind =
      metrics::require_metric(request.require_string("metric", kPlace));
  if (!kind.needs_model() || kind.record != metrics::RecordKind::answer) {
    throw InputError("the metric " + std::string(kind.name) + " does not score answers by a model",
                     "", "name one that does, such as lerc");
  }
  SettingValues values;
  for (const auto& [name, value] : request.require("settings", kPlace).object()) {
    values[name] = value.string();
  }
  const int64_t threads = request.require_integer("threads", kPlace);
  if (threads > 0) at::set_num_threads(static_cast<int>(threads));
  const metrics::Settings settings = metrics::settings_of({{&kind}}, values);
  return metrics::make_answer_metric(
      kind, {request.require_string("model", kPlace), settings, /*show_progress=*/true});
}

// The text of a passage or question; "", which is none, for null.
std::string optional_text(const Json& value) {
  return value.is_null() ? "" : value.string();
}

std::vector<Answer> answers_of(const Json& request) {
  std::vector<Answer> answers;
  for (const Json& row : request.require_array("answers", kPlace)) {
    const Json::Array& fields = row.array();
    Answer answer;
    answer.id = std::to_string(answers.size());
    answer.candidate = fields.at(0).string();
    for (const Json& reference : fields.at(1).array()) {
      answer.references.push_back(reference.string());
    }
    answer.passage = optional_text(fields.at(2));
    answer.question = optional_text(fields.at(3));
    answers.push_back(std::move(answer));
  }
  return answers;
}

// The fields that the metric has for each row, by name.
Json row_fields(metrics::AnswerMetric& metric, size_t rows) {
  Json all{Json::Object()};
  const std::vector<std::string> names = metric.field_names();
  for (const std::string& name : names) all[name] = Json(Json::Array());
  for (size_t row = 0; !names.empty() && row < rows; ++row) {
    std::vector<Json> values = metric.fields(row);
    for (size_t i = 0; i < names.size(); ++i) all[names[i]].array().push_back(std::move(values[i]));
  }
  return all;
}

// How the model has seen the question of each row, null where it has not; null where it has seen
// none.
Json seen_of(const FileScore& score) {
  if (score.trained_on.empty() && score.tuned_on.empty()) return {};
  Json::Array rows(static_cast<size_t>(score.rows));
  for (const size_t row : score.trained_on) rows[row] = data::kSeenTrained;
  for (const size_t row : score.tuned_on) rows[row] = data::kSeenTuned;
  return Json(std::move(rows));
}

Json scores_of(std::span<const AnswerScores> result, metrics::AnswerMetric& metric) {
  Json::Array all;
  for (const AnswerScores& scores : result) {
    const FileScore& over_all = scores.over_all;
    Json interval;
    if (over_all.interval) interval = Json::Array{over_all.interval->low, over_all.interval->high};
    Json::Array truncated;
    for (const size_t row : scores.over_all.truncated)
      truncated.emplace_back(static_cast<int64_t>(row));
    all.emplace_back(Json::Object{{"name", over_all.name},
                                  {"mean", over_all.value},
                                  {"interval", std::move(interval)},
                                  {"signature", over_all.signature},
                                  {"is_corpus", over_all.is_corpus},
                                  {"truncated", std::move(truncated)},
                                  {"seen", seen_of(over_all)},
                                  {"fields", row_fields(metric, scores.rows.size())},
                                  {"rows", Json::Array(scores.rows.begin(), scores.rows.end())}});
  }
  return Json(std::move(all));
}

// Answers a request; `metrics` holds the one that was loaded.
Json answer(const Json& request, std::vector<std::unique_ptr<metrics::AnswerMetric>>& metrics) {
  if (request.require_string("do", kPlace) == "load") {
    metrics.clear();
    metrics.push_back(load(request));
    return Json(Json::Array{});
  }
  const std::vector<Answer> answers = answers_of(request);
  const auto scores = eval::score_in_memory(metrics, eval::in_one_part(answers));
  return scores_of(scores, *metrics.front());
}

}  // namespace

int serve_requests() {
  const pid_t parent = getppid();
  std::signal(SIGINT, SIG_IGN);  // Ctrl-C is the parent's, which cancels
  std::signal(SIGPIPE, SIG_IGN);
  Events events(dup(STDOUT_FILENO));
  dup2(STDERR_FILENO, STDOUT_FILENO);  // what prints, prints there
  Requests requests;
  std::thread([&] {
    try {
      requests.read_all(parent);
    } catch (const std::exception& error) {
      events.error("Error", error.what());
      _exit(kFailed);
    }
  }).detach();
  std::vector<std::unique_ptr<metrics::AnswerMetric>> metrics;
  while (true) {
    auto [request, token] = requests.next();
    events.set_request(request.require_integer("id", kPlace));
    const ContextScope scope({&events, token, program_resources()});
    try {
      events.done(models::with_plain_errors(
          models::kMemory, [&, &asked = request] { return answer(asked, metrics); }));
    } catch (const Interrupted& error) {
      events.error("Interrupted", error.what());
    } catch (const InputError& error) {
      events.error("InputError", error.what());
    } catch (const std::bad_alloc&) {
      events.error("Error", std::string("out of memory\n  to do: ") + models::kMemory);
    } catch (const std::exception& error) {
      events.error("Error", error.what());
    }
  }
}

}  // namespace rubric::cli
