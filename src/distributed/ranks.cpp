#include "distributed/ranks.h"

#include <chrono>
#include <cstring>

#include <ATen/ATen.h>

#include "distributed/ranks_group.h"

namespace rubric {

Ranks::Ranks() = default;
Ranks::~Ranks() = default;

Ranks::Ranks(const Launch& launch, std::chrono::seconds join_timeout)
    : launch_(launch), group_(launch.master.empty() ? nullptr : meet(launch, join_timeout)) {}

void Ranks::set_timeout(int64_t seconds) const {
  if (!group_) return;
  const std::chrono::milliseconds timeout = std::chrono::seconds(seconds);
  group_->roll_call->set_timeout(timeout);
  group_->process_group->getBackend(c10::DeviceType::CPU)->setTimeout(timeout);
}

void Ranks::enter(const std::string& place) const {
  if (group_) group_->roll_call->enter(place);
}

double Ranks::seconds_waited() const {
  return group_ ? group_->roll_call->seconds_waited() : 0;
}

void Ranks::sum(const at::Tensor& values) const {
  if (!group_) return;
  std::vector<at::Tensor> tensors = {values};
  group_->run([&] { return group_->process_group->allreduce(tensors); });
}

void Ranks::sum(std::span<double> values) const {
  sum(at::from_blob(values.data(), {std::ssize(values)}, at::kDouble));
}

bool Ranks::any(bool value) const {
  double count = value ? 1 : 0;
  sum({&count, 1});
  return count > 0;
}

void Ranks::broadcast(const at::Tensor& values, int from) const {
  if (!group_) return;
  std::vector<at::Tensor> tensors = {values};
  c10d::BroadcastOptions options;
  options.rootRank = from;
  group_->run([&] { return group_->process_group->broadcast(tensors, options); });
}

std::string Ranks::broadcast(const std::string& text) const {
  return exchange(is_main() ? text : "").front();
}

std::vector<std::string> Ranks::exchange(const std::string& text) const {
  if (!group_) return {text};
  // Gloo gathers equal sizes: the texts are filled up to the longest.
  at::Tensor sizes = at::zeros({size()}, at::kLong);
  sizes[rank()] = std::ssize(text);
  sum(sizes);
  std::vector<at::Tensor> mine = {at::zeros({sizes.max().item<int64_t>()}, at::kByte)};
  std::memcpy(mine[0].mutable_data_ptr(), text.data(), text.size());
  std::vector<std::vector<at::Tensor>> all(1);
  for (int i = 0; i < size(); ++i) all[0].push_back(at::zeros_like(mine[0]));
  if (mine[0].numel() > 0) {
    group_->run([&] { return group_->process_group->allgather(all, mine); });
  }
  std::vector<std::string> texts;
  for (int i = 0; i < size(); ++i) {
    texts.emplace_back(static_cast<const char*>(all[0][static_cast<size_t>(i)].const_data_ptr()),
                       static_cast<size_t>(sizes[i].item<int64_t>()));
  }
  return texts;
}

}  // namespace rubric
