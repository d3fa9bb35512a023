// Lines of a run's log.
#pragma once

#include <string>

#include "core/json/json.h"

namespace rubric::train {

// Each update takes half a second.
inline std::string update_line(int step, int steps, double loss) {
  return Json(Json::Object{{"event", "update"},
                           {"step", step},
                           {"steps", steps},
                           {"loss", loss},
                           {"lr", 2e-5},
                           {"gradient_norm", 1.0},
                           {"seconds", 0.5},
                           {"tokens_per_second", 321.0}})
             .dump() +
         "\n";
}

// Each validation takes a second.
inline std::string validation_line(int step, double dev_loss, double value, bool is_best) {
  return Json(Json::Object{{"event", "validation"},
                           {"step", step},
                           {"epoch", 1},
                           {"train_loss", 1.0},
                           {"dev_loss", dev_loss},
                           {"figure", "pearson"},
                           {"value", value},
                           {"best", is_best},
                           {"seconds", 1.0}})
             .dump() +
         "\n";
}

}  // namespace rubric::train
