// The processes of one run, and what they tell each other: sums, copies of rank 0's, short texts.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

#include "core/error.h"
#include "distributed/launch.h"

namespace rubric::distributed {

struct RankGroup;

// Another rank did not come: nothing can be done together any more.
class LostRank : public Error {
 public:
  using Error::Error;
};

// Every rank calls the same functions in the same order; each returns when all ranks have called
// it. With one process, unless torchrun started it, they return at once. All throw LostRank that
// names the rank when another is gone, which is seen within seconds of its death, or has not come
// to the same function within the timeout, at first half an hour.
class Ranks {
 public:
  Ranks();  // one process
  // Meets the other ranks of `launch` at its master. Throws InputError when the master cannot be
  // resolved or reached or its port be opened, and Error that names those who are missing when not
  // all ranks come within `join_timeout`.
  explicit Ranks(const Launch& launch, std::chrono::seconds join_timeout = std::chrono::minutes(5));
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return launch_.rank; }
  int size() const { return launch_.size; }
  int local_rank() const { return launch_.local_rank; }  // among the ranks of this machine
  bool is_main() const { return launch_.rank == 0; }     // who writes files and messages

  void set_timeout(int64_t seconds) const;

  // What this rank does from now on, for messages of it and of others: "update 12".
  void enter(const std::string& place) const;

  double seconds_waited() const;  // for other ranks, since the start

  // The sum over all ranks, in place and the same bits on each; a contiguous tensor on the CPU, or
  // on the rank's GPU (distributed/cuda.h).
  void sum(const at::Tensor& values) const;
  void sum(std::span<double> values) const;

  bool any(bool value) const;  // whether it is true on at least one rank

  // Gives every rank those of rank `from`, in place; a contiguous tensor likewise.
  void broadcast(const at::Tensor& values, int from = 0) const;
  std::string broadcast(const std::string& text) const;

  // Every rank's text, in the order of ranks, on all of them.
  std::vector<std::string> exchange(const std::string& text) const;

  // For this folder; null without a launcher.
  const RankGroup* group() const { return group_.get(); }

 private:
  Launch launch_;
  std::unique_ptr<RankGroup> group_;
};

inline const Ranks kOneProcess;  // this one alone

}  // namespace rubric::distributed
