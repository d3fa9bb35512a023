// Declared in include/rubric/estimate.h.
#include "rubric/estimate.h"

#include "core/beside.h"
#include "core/context.h"
#include "eval/estimate/estimate.h"
#include "eval/resampling.h"
#include "library/labelled_answers.h"

namespace rubric {

Result estimate(const EstimateRequest& request, const Context& context) {
  const ContextScope scope(context);
  library::check_labelled_request(request);
  EstimateRequest resolved = request;
  // A large file is hashed while it is read. An error of reading waits for it: half a second a GB.
  auto hashes = beside([request] { return library::hashes_of_files(request); });
  const eval::Estimates estimates =
      eval::estimate(library::read_labelled_answers(resolved), resolved.human, resolved.bootstrap);
  Result result = eval::estimate_result(estimates);
  result.signature = "estimate|" +
                     library::labelled_signature(resolved, estimates.metrics, hashes.get()) +
                     eval::signature_end(resolved.bootstrap);
  result.inputs = library::files_of(request);
  return result;
}

}  // namespace rubric
