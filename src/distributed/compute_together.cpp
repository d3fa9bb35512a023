#include "distributed/compute_together.h"

#include <ATen/ATen.h>

#include "core/json/json.h"
#include "distributed/collective.h"

namespace rubric {

at::Tensor compute_together(const Ranks& ranks, at::IntArrayRef shape,
                            const std::function<at::Tensor(WorkShare)>& compute) {
  const at::Tensor values = together(ranks, [&] {
    const at::Tensor mine = compute({ranks.rank(), ranks.size()});
    TORCH_CHECK(mine.scalar_type() == at::kFloat, "ranks share float32 alone");
    return mine.numel() > 0 ? mine : at::zeros(shape);
  });
  // Of one rank's value and zeros. As integers: -0 and what is not a number keep their bits, too.
  ranks.sum(values.view(at::kInt));
  return values;
}

std::vector<std::string> compute_together(
    const Ranks& ranks, const std::function<std::vector<std::string>(WorkShare)>& compute) {
  std::vector<std::string> texts;
  const std::string mine = together(ranks, [&] {
    texts = compute({ranks.rank(), ranks.size()});
    return Json(Json::Array(texts.begin(), texts.end())).dump();
  });
  for (const std::string& share : ranks.exchange(mine)) {
    const Json others = Json::parse(share, "the texts of a rank");
    for (size_t i = 0; i < texts.size(); ++i) {
      if (texts[i].empty()) texts[i] = others.array()[i].string();
    }
  }
  return texts;
}

}  // namespace rubric
