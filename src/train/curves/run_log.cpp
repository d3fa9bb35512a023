#include "train/curves/run_log.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <string_view>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"

namespace rubric::train {
namespace {

namespace fs = std::filesystem;

constexpr const char* kNameARun = "name the folder of a run, such as one under runs/";

[[noreturn]] void throw_unreadable(const fs::path& file) {
  throw Error(std::string("cannot read: ") + std::strerror(errno), file.string());
}

void add_update(const Json& event, const std::string& where, RunCurves& curves) {
  curves.step = event.require_integer("step", where);
  if (event.find("steps") != nullptr) curves.steps = event.require_integer("steps", where);
  curves.losses.emplace_back(static_cast<double>(curves.step), event.require_number("loss", where));
  curves.learning_rate = event.require_number("lr", where);
  curves.tokens_per_second = event.require_number("tokens_per_second", where);
}

void add_validation(const Json& event, const std::string& where, RunCurves& curves) {
  const double step = event.require_number("step", where);
  if (event.find("dev_loss") != nullptr) {
    curves.dev_losses.emplace_back(step, event.require_number("dev_loss", where));
  }
  curves.metric = event.require_string("figure", where);
  if (event.require("value", where).is_null()) return;  // undefined
  curves.values.emplace_back(step, event.require_number("value", where));
  if (event.require_boolean("best", where)) curves.best = curves.values.back();
}

}  // namespace

void add_event(const Json& event, const std::string& where, RunCurves& curves) {
  const std::string& kind = event.require_string("event", where);
  if (kind == "update") add_update(event, where, curves);
  if (kind == "validation") add_validation(event, where, curves);
  if (kind == "extended") curves.steps = event.require_integer("steps", where);
  if (event.find("seconds") != nullptr) curves.seconds += event.require_number("seconds", where);
}

std::optional<double> seconds_left(const RunCurves& curves) {
  if (curves.steps == 0 || curves.step == 0) return std::nullopt;
  const auto left = static_cast<double>(std::max<int64_t>(0, curves.steps - curves.step));
  return left * curves.seconds / static_cast<double>(curves.step);
}

std::optional<double> recent_loss(const RunCurves& curves) {
  constexpr size_t kMost = 20;
  const size_t count = std::min(kMost, curves.losses.size());
  if (count == 0) return std::nullopt;
  double sum = 0;
  for (size_t i = 0; i < count; ++i) sum += curves.losses[curves.losses.size() - 1 - i].second;
  return sum / static_cast<double>(count);
}

RunLog::RunLog(fs::path run) : run_(std::move(run)), file_(run_ / "log.jsonl") {
  if (is_there(run_ / "config.yaml", kNameARun)) return;
  throw InputError(!is_there(run_, kNameARun) ? "there is no such folder"
                                              : "this is not the folder of a run: it has no "
                                                "config.yaml",
                   run_.string(), kNameARun);
}

void RunLog::update() {
  FileDescriptor log;
  log.value = open(file_.c_str(), O_RDONLY | O_CLOEXEC);
  if (log.value < 0 && errno == ENOENT) return;  // the run has just been started
  struct stat status {};
  if (log.value < 0 || fstat(log.value, &status) != 0) throw_unreadable(file_);
  if (status.st_ino != inode_ || status.st_size < bytes_) {  // another file: it was cut
    curves_ = {};
    rest_.clear();
    bytes_ = lines_ = 0;
    inode_ = status.st_ino;
  }
  std::array<char, 1 << 16> buffer;
  for (;;) {
    const ssize_t size = pread(log.value, buffer.data(), buffer.size(), bytes_);
    if (size < 0) throw_unreadable(file_);
    if (size == 0) break;
    rest_.append(buffer.data(), static_cast<size_t>(size));
    bytes_ += size;
  }
  size_t begin = 0;
  for (size_t end = 0; (end = rest_.find('\n', begin)) != std::string::npos; begin = end + 1) {
    const std::string where = file_.string() + ":" + std::to_string(++lines_);
    add_event(Json::parse(std::string_view(rest_).substr(begin, end - begin), where), where,
              curves_);
  }
  rest_.erase(0, begin);
}

bool RunLog::is_finished() const {
  return is_there(run_ / "results.json", kNameARun);
}

std::optional<double> RunLog::seconds_since_last() const {
  struct stat status {};
  if (stat(file_.c_str(), &status) != 0) return std::nullopt;
  timespec now{};
  clock_gettime(CLOCK_REALTIME, &now);
  return std::max(0.0, static_cast<double>(now.tv_sec - status.st_mtim.tv_sec));
}

}  // namespace rubric::train
