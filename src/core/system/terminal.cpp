#include "core/system/terminal.h"

#include <algorithm>
#include <atomic>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <system_error>

#include <sys/ioctl.h>
#include <unistd.h>

#include "core/files/shipped_files.h"
#include "core/system/signals.h"

namespace rubric {
namespace {

std::atomic<bool> quiet = false, warns = true;
std::mutex printing;

constexpr int kBarWidth = 24;
constexpr double kBarInterval = 0.1, kLineInterval = 15;  // seconds

std::string bar(const ProgressUpdate& update) {
  const double fraction =
      std::min(1.0, static_cast<double>(update.done) / static_cast<double>(update.total));
  const auto filled = static_cast<size_t>(fraction * kBarWidth);
  return "[" + std::string(filled, '=') + std::string(kBarWidth - filled, ' ') + "] ";
}

// "3/8, 0:12 left, loss 0.1"
std::string counts(const ProgressUpdate& update) {
  std::string text = std::to_string(update.done) + "/" + std::to_string(update.total);
  if (update.done > update.already_done) {
    const double each = update.seconds / static_cast<double>(update.done - update.already_done);
    const int64_t left = std::max<int64_t>(0, update.total - update.done);
    text += ", " + duration_text(each * static_cast<double>(left)) + " left";
  }
  return update.detail.empty() ? text : text + ", " + update.detail;
}

void print(const std::string& text) {
  std::fputs(text.c_str(), stderr);
  std::fflush(stderr);
}

}  // namespace

size_t terminal_width() {
  const char* const columns = std::getenv("COLUMNS");
  const std::string_view text = columns == nullptr ? "" : columns;
  size_t width = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), width);
  if (!text.empty() && error == std::errc() && end == text.data() + text.size()) return width;
  winsize size{};
  return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<long long>(std::lround(seconds));
  char text[64];
  if (whole >= 3600) {
    std::snprintf(text, sizeof(text), "%lld:%02lld:%02lld", whole / 3600, whole / 60 % 60,
                  whole % 60);
  } else {
    std::snprintf(text, sizeof(text), "%lld:%02lld", whole / 60, whole % 60);
  }
  return text;
}

void set_quiet(bool value) {
  quiet = value;
}

bool is_quiet() {
  return quiet;
}

void set_warnings(bool shown) {
  warns = shown;
}

void TerminalObserver::clear_bar() {
  if (is_drawn_) print("\r\033[K");
  is_drawn_ = false;
}

void TerminalObserver::log(LogLevel level, const std::string& message) {
  if (level == LogLevel::info && quiet) return;
  if (level == LogLevel::warning && !warns) return;
  const std::lock_guard lock(printing);
  clear_bar();
  const char* const kind = level == LogLevel::info      ? ""
                           : level == LogLevel::warning ? "warning: "
                                                        : "error: ";
  print(kind + message + "\n");
}

void TerminalObserver::progress(const ProgressUpdate& update) {
  const std::lock_guard lock(printing);
  if (update.is_paused) {
    clear_bar();
    return;
  }
  if (update.task != task_ || update.seconds < shown_at_) {  // another task
    task_ = update.task;
    shown_at_ = 0;
  }
  const bool has_bar = isatty(STDERR_FILENO) == 1;
  const bool is_due = update.seconds - shown_at_ >= (has_bar ? kBarInterval : kLineInterval);
  if (quiet || !(is_due || (has_bar && !is_drawn_))) return;
  shown_at_ = update.seconds;
  if (has_bar) {
    print("\r\033[K" + update.task + " " + bar(update) + counts(update));
    is_drawn_ = true;
  } else {
    print(update.task + " " + counts(update) + "\n");
  }
}

Context terminal_context() {
  static auto* const observer = new TerminalObserver();  // as long-lived as the program's context
  return {observer, stop_token(), program_resources()};
}

}  // namespace rubric
