// Metrics whose score of a file is not the mean of its rows' scores: both come from counts that add
// up over the rows.
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "metrics/kind.h"

namespace rubric::metrics {

struct CorpusScore {
  // The counts of one candidate, always as many; `references` is not empty.
  std::function<std::vector<double>(std::span<const std::string> references,
                                    std::string_view candidate)>
      count;
  std::function<double(std::span<const double> counts)> of_row, of_corpus;
};

// A metric called `name` with one score of that name. `signature` is its part of sacreBLEU's
// signature, "|case:mixed|eff:no"; the number of references, which that begins with, is added.
// Scoring throws InputError for a record without reference.
std::unique_ptr<AnswerMetric> make_corpus_metric(std::string_view name, CorpusScore score,
                                                 const std::string& signature);

}  // namespace rubric::metrics
