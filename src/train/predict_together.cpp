#include "train/predict_together.h"

#include "distributed/together.h"

namespace rubric {

at::Tensor predict_together(const Ranks& ranks, at::IntArrayRef shape,
                            const std::function<at::Tensor(Share)>& predict) {
  const at::Tensor mine = together(ranks, [&] { return predict({ranks.rank(), ranks.size()}); });
  const at::Tensor values = mine.numel() > 0 ? mine : at::zeros(shape);
  ranks.sum(values);  // of one rank's value and zeros: exact
  return values;
}

}  // namespace rubric
