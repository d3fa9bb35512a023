#include <algorithm>
#include <future>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include <unistd.h>

#include "distributed/process_group.h"

namespace rubric::distributed {
namespace {

using Clock = std::chrono::steady_clock;
using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kInterval(500);
constexpr milliseconds kSilence(1600);  // three heartbeats: a silent rank is gone or stopped
constexpr seconds kStoreTimeout(3);     // for the store of a rank that is gone
constexpr seconds kPatience(6);         // for an answer from a store that may never answer
constexpr seconds kGrace(5);
constexpr seconds kEndWithin(10);  // for a rank that knows that others are absent

// What a rank publishes about itself.
struct Status {
  int64_t beat = 0;
  bool has_ended = false, waits = false;  // both set: it ended because others were absent
  double seconds = 0;                     // since it entered `place`
  std::string place;
};

std::string key_of(int rank) {
  return "heartbeat/" + std::to_string(rank);
}

std::string serialize(const Status& status) {
  std::ostringstream text;
  text << status.beat << ' ' << status.has_ended << ' ' << status.waits << ' ' << status.seconds
       << ' ' << status.place;
  return text.str();
}

Status parse_status(const std::string& text) {
  Status status;
  std::istringstream words(text);
  words >> status.beat >> status.has_ended >> status.waits >> status.seconds >> std::ws;
  std::getline(words, status.place);
  return status;
}

// The status of every rank, nothing for one that has published none yet. Throws c10d's errors.
std::vector<std::optional<Status>> read_statuses(c10d::Store& store, int size) {
  std::vector<std::string> keys;
  for (int rank = 0; rank < size; ++rank) keys.push_back(key_of(rank));
  std::vector<std::optional<Status>> all;
  if (store.check(keys)) {  // two requests instead of two for each of hundreds of ranks
    for (const auto& text : store.multiGet(keys)) {
      all.emplace_back(parse_status(std::string(text.begin(), text.end())));
    }
    return all;
  }
  for (const std::string& key : keys) {
    all.push_back(store.check({key}) ? std::optional(parse_status(store.get_to_str(key)))
                                     : std::nullopt);
  }
  return all;
}

std::string whole_seconds(double value) {
  return std::to_string(static_cast<int64_t>(value)) + " s";
}

}  // namespace

struct Heartbeat::State : std::enable_shared_from_this<Heartbeat::State> {
  c10::intrusive_ptr<c10d::Store> store;
  int rank, size;

  std::mutex mutex;  // guards what follows
  std::condition_variable changed;
  milliseconds timeout;
  std::string place = "the start";
  Clock::time_point entered = Clock::now();
  int waits = 0;      // the number of Waiting objects
  double waited = 0;  // in seconds, by Waiting objects that have ended
  std::optional<Clock::time_point> asked_since = {};  // when this rank asked who is absent
  bool is_ending = false, has_left = false;
  bool is_asked = false, is_answered = false;
  bool has_silent_store = false;  // no answer within kPatience
  std::string answer;

  Status own_status(int64_t beat) {
    const std::lock_guard lock(mutex);
    const double since = std::chrono::duration<double>(Clock::now() - entered).count();
    return {beat, is_ending, waits > 0 || asked_since.has_value(), since, place};
  }

  // Describes another rank by its status before and now; "" when it waits for others.
  std::string describe_rank(int other, const std::optional<Status>& before,
                            const std::optional<Status>& now) const {
    const std::string name = "rank " + std::to_string(other);
    if (!now) return name + " has not connected";
    if (!now->has_ended && before && before->beat == now->beat) {
      return name + " is gone or stopped; it was last seen at " + now->place;
    }
    if (now->waits) return "";
    if (now->has_ended) return name + " has ended; it was last seen at " + now->place;
    return name + " is late; it has been at " + now->place + " for " + whole_seconds(now->seconds);
  }

  // Reads all statuses twice; in between this rank keeps publishing its own.
  std::string absent(int64_t& beat) {
    try {
      const auto before = read_statuses(*store, size);
      for (auto left = kSilence; left.count() > 0; left -= kInterval) {
        std::this_thread::sleep_for(std::min(left, kInterval));
        store->set(key_of(rank), serialize(own_status(++beat)));
      }
      const auto now = read_statuses(*store, size);
      std::string lines;
      for (int other = 0; other < size; ++other) {
        const auto i = static_cast<size_t>(other);
        const std::string line = other == rank ? "" : describe_rank(other, before[i], now[i]);
        if (!line.empty()) lines += (lines.empty() ? "" : "\n") + line;
      }
      return lines;
    } catch (const std::exception&) {
      return store_is_gone();
    }
  }

  std::string store_is_gone() const {
    return "rank 0 or the launcher, at whose store the ranks meet, is gone or stopped";
  }

  // The start of a wait that lasts too long, else nothing.
  std::optional<Clock::time_point> hung_since() {
    const std::lock_guard lock(mutex);
    if (is_ending) return {};
    const auto now = Clock::now();
    if (asked_since) return now - *asked_since > kEndWithin ? asked_since : std::nullopt;
    return waits > 0 && now - entered > timeout + kGrace ? std::optional(entered) : std::nullopt;
  }

  // Writes to stderr because the observer may wait for the thread that hangs. It may end the
  // process because only programs join ranks.
  [[noreturn]] void end_process(const std::string& lines) {
    const std::string text = "error: rank " + std::to_string(rank) + " of " + std::to_string(size) +
                             " waits forever at " + own_status(0).place + "\n" + lines + "\n";
    [[maybe_unused]] const auto written = write(STDERR_FILENO, text.data(), text.size());
    _exit(1);
  }

  // Ends the process when it has waited too long, unless the others arrive while it asks who is
  // absent.
  void end_if_hung(int64_t& beat) {
    const auto since = hung_since();
    if (!since) return;
    // The store may never answer: then a second thread ends the process.
    std::promise<void> asked;
    std::thread([self = shared_from_this(), since, answered = asked.get_future()] {
      const bool is_late = answered.wait_for(kPatience) == std::future_status::timeout;
      if (is_late && self->hung_since() == since) self->end_process(self->store_is_gone());
    }).detach();
    const std::string lines = absent(beat);
    if (hung_since() == since) end_process(lines.empty() ? "all other ranks wait, too" : lines);
    asked.set_value();
  }

  void run() {
    int64_t beat = 0;
    std::unique_lock lock(mutex);
    for (;;) {
      const bool is_last = is_ending;
      const bool asked = std::exchange(is_asked, false);
      lock.unlock();
      end_if_hung(beat);
      try {
        store->set(key_of(rank), serialize(own_status(++beat)));
      } catch (const std::exception&) {  // a rank that waits for others notices it too
      }
      std::string lines = asked ? absent(beat) : "";
      lock.lock();
      if (asked) {
        answer = std::move(lines);
        is_answered = true;
      }
      if (is_last) has_left = true;
      changed.notify_all();
      if (is_last) return;
      changed.wait_for(lock, kInterval, [&] { return is_ending || is_asked; });
    }
  }
};

Heartbeat::Heartbeat(c10::intrusive_ptr<c10d::Store> store, int rank, int size,
                     milliseconds timeout)
    : state_(std::make_shared<State>()) {
  store->setTimeout(kStoreTimeout);
  state_->store = std::move(store);
  state_->rank = rank;
  state_->size = size;
  state_->timeout = timeout;
  thread_ = std::thread([state = state_] { state->run(); });
}

Heartbeat::~Heartbeat() {
  std::unique_lock lock(state_->mutex);
  state_->is_ending = true;
  state_->changed.notify_all();
  const seconds patience = state_->has_silent_store ? seconds(0) : 2 * kStoreTimeout;
  const bool has_left = state_->changed.wait_for(lock, patience, [&] { return state_->has_left; });
  lock.unlock();
  if (has_left) {
    thread_.join();
  } else {
    thread_.detach();  // the store does not answer
  }
}

void Heartbeat::set_timeout(milliseconds timeout) {
  const std::lock_guard lock(state_->mutex);
  state_->timeout = timeout;
}

void Heartbeat::enter(const std::string& place) {
  const std::lock_guard lock(state_->mutex);
  state_->place = place;
  state_->entered = Clock::now();
}

Heartbeat::Waiting::Waiting(Heartbeat& heartbeat) : heartbeat_(heartbeat) {
  const std::lock_guard lock(heartbeat_.state_->mutex);
  ++heartbeat_.state_->waits;
  heartbeat_.state_->entered = Clock::now();
}

Heartbeat::Waiting::~Waiting() {
  State& state = *heartbeat_.state_;
  const std::lock_guard lock(state.mutex);
  const auto now = Clock::now();
  --state.waits;
  state.waited += std::chrono::duration<double>(now - state.entered).count();
  state.entered = now;
}

double Heartbeat::seconds_waited() const {
  const std::lock_guard lock(state_->mutex);
  return state_->waited;
}

std::string Heartbeat::absent() {
  std::unique_lock lock(state_->mutex);
  if (!state_->asked_since) state_->asked_since = Clock::now();
  state_->is_answered = false;
  state_->is_asked = true;
  state_->changed.notify_all();
  if (!state_->changed.wait_for(lock, kPatience, [&] { return state_->is_answered; })) {
    state_->has_silent_store = true;
    return state_->store_is_gone();
  }
  return state_->answer;
}

}  // namespace rubric::distributed
