// Values that the ranks compute for each other, each of them on one rank.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "core/system/work_share.h"
#include "distributed/ranks.h"

namespace rubric {

// What `compute` gives for each rank's share, put together on all ranks, bit for bit: float32 of
// `shape`. It gives a contiguous tensor of that shape which is 0 outside the share, or one without
// elements when there is nothing in the share. When it throws on one rank, all throw as
// end_together() does.
at::Tensor compute_together(const Ranks& ranks, at::IntArrayRef shape,
                            const std::function<at::Tensor(WorkShare)>& compute);

// The same of texts: it gives a text for each of all rows, "" outside the share.
std::vector<std::string> compute_together(
    const Ranks& ranks, const std::function<std::vector<std::string>(WorkShare)>& compute);

}  // namespace rubric
