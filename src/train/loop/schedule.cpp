#include "train/loop/schedule.h"

#include <algorithm>

namespace rubric {

double linear_schedule(int64_t done, int64_t warmup, int64_t total) {
  if (done < warmup)
    return static_cast<double>(done) / static_cast<double>(std::max<int64_t>(1, warmup));
  return std::max(0.0, static_cast<double>(total - done) /
                           static_cast<double>(std::max<int64_t>(1, total - warmup)));
}

double schedule_factor(const OptimizerConfig& config, int64_t done, int64_t total) {
  const bool is_constant = config.schedule == "constant" && done >= config.warmup_steps;
  return is_constant ? 1 : linear_schedule(done, config.warmup_steps, total);
}

}  // namespace rubric
