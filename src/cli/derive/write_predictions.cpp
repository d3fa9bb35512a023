#include "cli/derive/write_predictions.h"

#include "core/files/files.h"
#include "core/system/log.h"

namespace rubric::cli {

void write_predictions(const data::DerivationPredictions& predictions, const std::string& output) {
  write_file(output, predictions.json.dump() + "\n");
  log_info(std::to_string(predictions.questions) + " questions, " +
           std::to_string(predictions.steps) + " steps in " + output);
}

}  // namespace rubric::cli
