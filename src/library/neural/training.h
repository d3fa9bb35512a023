// Training, on one process or on several that share the work.
#pragma once

#include <string>

#include "distributed/ranks.h"
#include "rubric/training.h"

namespace rubric::library {

// As train_model(), in the caller's context. Collective: every rank calls it with the same request.
// Throws as that does.
TrainResult train_on(const distributed::Ranks& ranks, const TrainRequest& request);

// The resolved configuration, and the data sizes as a comment below it. Writes nothing. Throws
// InputError as train_model() does.
std::string describe_run(const TrainRequest& request);

}  // namespace rubric::library
