#include "core/system/log.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstdio>
#include <memory>
#include <utility>

#include <spdlog/sinks/stdout_sinks.h>
#include <spdlog/spdlog.h>
#include <unistd.h>

namespace rubric {

namespace {

std::atomic<bool> quiet = false, warns = true;

spdlog::logger& logger() {
  static const std::shared_ptr<spdlog::logger> instance = [] {
    auto made = std::make_shared<spdlog::logger>("rubric",
                                                 std::make_shared<spdlog::sinks::stderr_sink_mt>());
    made->set_pattern("%v");
    made->flush_on(spdlog::level::trace);
    return made;
  }();
  return *instance;
}

constexpr int kBarWidth = 24;
constexpr auto kBarInterval = std::chrono::milliseconds(100);
constexpr auto kLineInterval = std::chrono::seconds(15);

std::string duration(double seconds) {
  const auto whole = std::lround(seconds);
  char text[32];
  std::snprintf(text, sizeof(text), "%d:%02d", static_cast<int>(whole / 60),
                static_cast<int>(whole % 60));
  return text;
}

}  // namespace

void set_quiet(bool value) {
  quiet = value;
}

bool is_quiet() {
  return quiet;
}

void set_warnings(bool value) {
  warns = value;
}

void log_info(const std::string& message) {
  if (!quiet) logger().info("{}", message);
}

void log_warning(const std::string& message) {
  if (warns) logger().warn("warning: {}", message);
}

void log_error(const std::string& message) {
  logger().error("error: {}", message);
}

bool stderr_is_terminal() {
  return isatty(STDERR_FILENO) == 1;
}

Progress::Progress(std::string label, int64_t total, int64_t done)
    : label_(std::move(label)),
      total_(std::max<int64_t>(total, 1)),
      first_(done),
      bar_(stderr_is_terminal() && !is_quiet()),
      start_(Clock::now()),
      last_(start_) {}

Progress::~Progress() {
  finish();
}

void Progress::update(int64_t done, const std::string& detail) {
  const auto now = Clock::now();
  const bool due = now - last_ >= (bar_ ? Clock::duration(kBarInterval) : kLineInterval);
  if (is_quiet() || !(due || (bar_ && !drawn_))) return;
  last_ = now;
  const double fraction = std::min(1.0, static_cast<double>(done) / static_cast<double>(total_));
  const double elapsed = std::chrono::duration<double>(now - start_).count();
  std::string line = label_ + " ";
  if (bar_) {
    const int filled = static_cast<int>(fraction * kBarWidth);
    line += "[" + std::string(static_cast<size_t>(filled), '=') +
            std::string(static_cast<size_t>(kBarWidth - filled), ' ') + "] ";
  }
  line += std::to_string(done) + "/" + std::to_string(total_);
  if (done > first_) {
    const double each = elapsed / static_cast<double>(done - first_);
    line +=
        ", " + duration(each * static_cast<double>(std::max<int64_t>(0, total_ - done))) + " left";
  }
  if (!detail.empty()) line += ", " + detail;
  if (bar_) {
    std::fprintf(stderr, "\r\033[K%s", line.c_str());
    std::fflush(stderr);
    drawn_ = true;
  } else {
    log_info(line);
  }
}

void Progress::finish() {
  if (!drawn_) return;
  std::fputs("\r\033[K", stderr);
  std::fflush(stderr);
  drawn_ = false;
}

}  // namespace rubric
