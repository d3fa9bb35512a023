// Which model each neural metric of `score` takes.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace rubric {

// `given` are the values of --model: METRIC=DIR, or DIR alone where one neural metric is scored;
// `scored` are the neural metrics that are. Returns metric → model. A metric may be missing there:
// its model was not given. Throws InputError for a model that is given twice, for no metric that is
// scored, or for any of several.
std::map<std::string, std::string> models_by_metric(const std::vector<std::string>& given,
                                                    const std::vector<std::string>& scored);

}  // namespace rubric
