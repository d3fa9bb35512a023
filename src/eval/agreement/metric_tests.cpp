#include <algorithm>
#include <cmath>
#include <utility>

#include "eval/agreement/agreement.h"
#include "stats/correlation.h"

namespace rubric::eval {
namespace {

// Scaled to mean 0 and variance 1, so that two metrics' scores may be permuted.
std::vector<double> standardised(std::span<const double> scores) {
  std::vector<double> values = stats::deviations(scores);
  double squares = 0;
  for (const double value : values) squares += value * value;
  const double standard_deviation = std::sqrt(squares / static_cast<double>(values.size()));
  for (double& value : values) value /= standard_deviation;
  return values;
}

// The results for every two metrics, in the order of the pairs.
std::vector<std::optional<stats::TestResult>> results_of(
    std::span<const double> human, std::span<const std::vector<double>> scores,
    std::span<const std::optional<double>> with_human, const stats::Clusters& clusters,
    AgreementTest test, const stats::PermutationOptions& options) {
  if (test == AgreementTest::permutation) {
    std::vector<std::vector<double>> on_one_scale;
    for (const auto& metric : scores) on_one_scale.push_back(standardised(metric));
    return stats::permutation_tests_of_correlations(human, on_one_scale, clusters, options);
  }
  std::vector<std::optional<stats::TestResult>> results;
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = a + 1; b < scores.size(); ++b) {
      const bool is_defined = with_human[a] && with_human[b];
      results.push_back(is_defined ? stats::williams_test(*with_human[a], *with_human[b],
                                                          *stats::pearson(scores[a], scores[b]),
                                                          std::ssize(human))
                                   : std::nullopt);
    }
  }
  return results;
}

}  // namespace

AgreementTest automatic_test(const stats::Clusters& questions) {
  const bool shares_questions = questions.count < questions.of.size();
  return shares_questions ? AgreementTest::permutation : AgreementTest::williams;
}

MetricTests test_correlations(std::span<const double> human,
                              std::span<const std::vector<double>> scores,
                              const stats::Clusters& clusters, AgreementTest test,
                              const stats::PermutationOptions& options) {
  std::vector<std::optional<double>> with_human;
  for (const auto& metric : scores) with_human.push_back(stats::pearson(human, metric));
  const auto results = results_of(human, scores, with_human, clusters, test, options);
  MetricTests tests;
  for (size_t a = 0; a < scores.size(); ++a) {
    for (size_t b = a + 1; b < scores.size(); ++b) {
      const auto& result = results[tests.size()];
      tests.emplace_back();
      if (!result) continue;
      tests.back() = {*with_human[a] - *with_human[b], result->statistic, result->p,
                      result->is_least};
    }
  }
  return tests;
}

MetricTests test_accuracies(std::span<const std::vector<bool>> is_correct) {
  MetricTests tests;
  for (size_t a = 0; a < is_correct.size(); ++a) {
    for (size_t b = a + 1; b < is_correct.size(); ++b) {
      int64_t only_a = 0, only_b = 0;
      for (size_t i = 0; i < is_correct[a].size(); ++i) {
        only_a += is_correct[a][i] && !is_correct[b][i] ? 1 : 0;
        only_b += is_correct[b][i] && !is_correct[a][i] ? 1 : 0;
      }
      const double difference =
          static_cast<double>(only_a - only_b) / static_cast<double>(is_correct[a].size());
      tests.push_back(MetricTest{difference, static_cast<double>(only_a),
                                 stats::mcnemar_exact(only_a, only_b)});
    }
  }
  return tests;
}

std::string correction_note(size_t tests, size_t of_unseen) {
  const auto number = [](size_t count) {
    return count == 1 ? "one test" : "all " + std::to_string(count) + " tests";
  };
  return "p: Holm-corrected over " + number(tests) + " between two metrics" +
         (of_unseen == 0
              ? ""
              : "; apart from these, over " + number(of_unseen) + " of rows with unseen questions");
}

}  // namespace rubric::eval
