#include "core/system/log.h"

#include <atomic>
#include <memory>

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

}  // namespace rubric
