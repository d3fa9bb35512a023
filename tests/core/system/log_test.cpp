#include "core/system/log.h"

#include <cstdlib>
#include <functional>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "core/system/terminal.h"
#include "messages.h"

namespace rubric::log_test {

// What `action` writes to stderr while stderr is a terminal.
std::string on_terminal(const std::function<void()>& action) {
  const int terminal = posix_openpt(O_RDWR | O_NOCTTY);
  if (terminal < 0 || grantpt(terminal) != 0 || unlockpt(terminal) != 0) return "no terminal";
  const int other_side = open(ptsname(terminal), O_RDWR | O_NOCTTY);
  const int saved = dup(STDERR_FILENO);
  dup2(other_side, STDERR_FILENO);
  action();
  dup2(saved, STDERR_FILENO);
  fcntl(terminal, F_SETFL, O_NONBLOCK);
  std::string written;
  char block[4096];
  for (ssize_t size; (size = read(terminal, block, sizeof(block))) > 0;) {
    written.append(block, static_cast<size_t>(size));
  }
  for (const int descriptor : {saved, other_side, terminal}) close(descriptor);
  return written;
}

std::string captured(const std::function<void()>& action) {
  return stderr_of([&] { action(); });
}

TEST(ProgressBar, IsDrawnOnATerminalAndCleared) {
  const std::string written = on_terminal([] {
    Progress progress("scoring", 8);
    progress.update(2, "row 2");
    progress.finish();
    progress.finish();  // nothing is left to clear
  });
  if (written == "no terminal") GTEST_SKIP() << "this machine gives no pseudo-terminal";
  expect_contains(written, "\r\033[Kscoring [======                  ] 2/8, 0:");
  EXPECT_TRUE(written.ends_with(" left, row 2\r\033[K")) << written;
}

TEST(ProgressBar, AMessageStandsInItsPlace) {
  const std::string written = on_terminal([] {
    Progress progress("scoring", 8);
    progress.update(2);
    log_warning("a text is empty");
    progress.finish();  // nothing is left to clear
  });
  if (written == "no terminal") GTEST_SKIP() << "this machine gives no pseudo-terminal";
  EXPECT_TRUE(written.ends_with(" left\r\033[Kwarning: a text is empty\r\n")) << written;
}

TEST(ProgressBar, TakesMoreThanTheTotal) {
  const std::string written = on_terminal([] { Progress("rows", 0).update(5); });
  if (written == "no terminal") GTEST_SKIP() << "this machine gives no pseudo-terminal";
  expect_contains(written, "rows [========================] 5/1, 0:00 left");
}

TEST(ProgressBar, AResumedTaskHasNoSpeedBeforeItsFirstStep) {
  const std::string written = on_terminal([] { Progress("steps", 8, 4).update(4); });
  if (written == "no terminal") GTEST_SKIP() << "this machine gives no pseudo-terminal";
  EXPECT_EQ(written, "\r\033[Ksteps [============            ] 4/8\r\033[K");
}

TEST(ProgressBar, IsSilentWhenQuiet) {
  set_quiet(true);
  const std::string written = on_terminal([] { Progress("rows", 8).update(2); });
  set_quiet(false);
  if (written == "no terminal") GTEST_SKIP() << "this machine gives no pseudo-terminal";
  EXPECT_EQ(written, "");
}

TEST(ProgressLines, AreRareWithoutATerminal) {
  const std::string written = captured([] {
    Progress progress("rows", 1000);
    for (int64_t i = 1; i <= 1000; ++i) progress.update(i);
  });
  EXPECT_EQ(written, "");  // the first line comes after seconds
}

TEST(Duration, HasHoursFromOneOn) {
  EXPECT_EQ(duration_text(0.4), "0:00");
  EXPECT_EQ(duration_text(3599), "59:59");
  EXPECT_EQ(duration_text(3723), "1:02:03");
}

}  // namespace rubric::log_test
