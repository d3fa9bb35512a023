// A stop is answered while a metric still tokenises the file.
#include <csignal>

#include <unistd.h>

#include "core/error.h"
#include "core/system/signals.h"
#include "metrics/neural/bertscore.h"
#include "metrics/neural/fixture_answers.h"
#include "metrics/neural/lerc.h"
#include "models/fixture.h"

namespace rubric::metrics::stops_test {

// Ends this process with the code of the program that scores `answers` after a stop was requested.
// The last record is a mistake of its author: a metric that reads all of them before it looks for a
// stop reports that instead.
[[noreturn]] void score_after_a_stop(Metric<data::Answer>& metric) {
  data::Answer good;
  good.id = "1";
  good.references = {"the cat"};
  good.candidate = "a cat";
  data::Answer without_reference = good;
  without_reference.references.clear();
  const std::vector<data::Answer> answers = {good, without_reference};
  catch_stop_signals();
  raise(SIGTERM);
  try {
    metric.score(answers);
  } catch (const Interrupted&) {
    _exit(kInterrupted);
  } catch (const InputError&) {
    _exit(kBadInput);
  }
  _exit(kDone);
}

TEST(NeuralMetrics, AStopEndsLercBeforeAllIsTokenised) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  EXPECT_EXIT(score_after_a_stop(*make_lerc("lerc", fixture("lerc"))),
              testing::ExitedWithCode(kInterrupted), "");
}

TEST(NeuralMetrics, AStopEndsBertScoreBeforeAllIsTokenised) {
  testing::FLAGS_gtest_death_test_style = "threadsafe";
  BertScoreOptions options;
  options.layer = 1;
  EXPECT_EXIT(score_after_a_stop(*make_bertscore(fixture("bertscore/roberta"), options)),
              testing::ExitedWithCode(kInterrupted), "");
}

}  // namespace rubric::metrics::stops_test
