#include "distributed/gradient_reducer.h"

#include <algorithm>
#include <exception>
#include <numeric>
#include <optional>

#include <ATen/ATen.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/csrc/distributed/c10d/reducer.hpp>

#include "distributed/process_group.h"

namespace rubric::distributed {
// The all-reduces of one backward().
struct Communication {
  const RankGroup& group;
  size_t buckets;
  std::vector<c10::intrusive_ptr<c10d::Work>> works = {};  // those started so far, one per bucket
  std::optional<Heartbeat::Waiting> waiting = {};          // set once all are started
};

namespace {

// A GPU still computes after the last bucket has been started: that time does not count as waiting
// for other ranks.
void finish_computing(at::Device device) {
  if (device.is_cpu()) return;
  const c10::impl::VirtualGuardImpl guard(device.type());
  guard.synchronizeStream(guard.getStream(device));
}

// Sums the gradients, where c10d's own hook takes the mean: the loss is already divided by the
// targets of the whole batch, and multiplying a mean again would round twice.
class AllReduceHook : public c10d::CppCommHookInterface<Communication*> {
 public:
  using CppCommHookInterface::CppCommHookInterface;

  c10::intrusive_ptr<c10::ivalue::Future> runHook(c10d::GradBucket& bucket) override {
    std::vector<at::Tensor> values = {bucket.getBufferRef()};
    state_->works.push_back(state_->group.process_group->allreduce(values));
    if (state_->works.size() == state_->buckets) {
      finish_computing(values[0].device());
      state_->waiting.emplace(*state_->group.heartbeat);
    }
    return state_->works.back()->getFuture();
  }
};

// The parameters of each bucket: the last ones first, as backward computes their gradients first.
std::vector<std::vector<size_t>> make_buckets(const std::vector<at::Tensor>& parameters) {
  std::vector<int64_t> indices(parameters.size());
  std::iota(indices.rbegin(), indices.rend(), 0);
  const std::vector<at::Tensor> reversed(parameters.rbegin(), parameters.rend());
  return std::get<0>(c10d::compute_bucket_assignment_by_size(
      reversed, {c10d::kDefaultFirstBucketBytes, c10d::kDefaultBucketBytesCap}, {}, indices));
}

}  // namespace

struct GradientReducer::Reduction {
  at::Tensor anchor;  // a dummy parameter
  Communication communication;
  std::unique_ptr<c10d::Reducer> reducer;

  Reduction(std::vector<at::Tensor> parameters, const RankGroup& group)
      : anchor(at::zeros({}, parameters.at(0).options()).set_requires_grad(true)),
        communication{group, 0} {
    parameters.push_back(anchor);
    const auto buckets = make_buckets(parameters);
    communication.buckets = buckets.size();
    // find_unused_parameters also keeps the Reducer from rebuilding the buckets.
    reducer = std::make_unique<c10d::Reducer>(
        parameters, buckets, group.process_group, std::vector<bool>(parameters.size(), false),
        c10d::kDefaultBucketBytesCap, /*find_unused_parameters=*/true,
        /*gradient_as_bucket_view=*/false, std::unordered_map<size_t, std::string>{},
        c10d::kDefaultFirstBucketBytes, /*skip_all_reduce_unused_params=*/false,
        /*use_python_reducer=*/false, std::vector<int64_t>{});
    reducer->register_comm_hook(std::make_unique<AllReduceHook>(&communication));
  }

  void backward(const at::Tensor& loss) {
    communication.works.clear();
    // The Reducer starts with the first gradient; without a loss that is the anchor's.
    const at::Tensor whole = loss.defined() ? loss : anchor * 0;
    reducer->prepare_for_backward({whole});
    try {
      whole.backward();
      // With NCCL the futures that the Reducer waits for are complete once the work is enqueued.
      for (const auto& work : communication.works) work->wait();
    } catch (const std::exception& error) {
      const bool is_own = communication.works.size() < communication.buckets &&
                          dynamic_cast<const c10::DistError*>(&error) == nullptr;
      if (is_own) throw;  // this rank's own computation failed
      communication.group.throw_lost(error);
    }
    communication.waiting.reset();
    anchor.mutable_grad().reset();
  }
};

GradientReducer::GradientReducer(const std::vector<at::Tensor>& parameters, const Ranks& ranks)
    : reduction_(ranks.group() == nullptr
                     ? nullptr
                     : std::make_unique<Reduction>(parameters, *ranks.group())) {}

GradientReducer::~GradientReducer() = default;

void GradientReducer::backward(const at::Tensor& loss) {
  if (reduction_) {
    reduction_->backward(loss);
  } else if (loss.defined()) {
    loss.backward();
  }
}

}  // namespace rubric::distributed
