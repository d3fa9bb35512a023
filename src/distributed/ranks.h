// The processes (ranks) of one run and their collective operations: sum, broadcast, and exchange of
// short texts.
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

// Another rank is lost: no collective operation can succeed any more.
class LostRank : public Error {
 public:
  using Error::Error;
};

// Every rank calls the same collective operations in the same order; each returns when all ranks
// have called it. With one process, unless torchrun started it, they return at once. All throw
// LostRank naming the rank when another has died, which is noticed within seconds, or has not
// called the same operation within the timeout (initially half an hour).
class Ranks {
 public:
  Ranks();  // one process
  // Connects to the other ranks of `launch` at its master. Throws InputError when the master cannot
  // be resolved or reached or its port cannot be opened, and Error naming the missing ranks when
  // not all connect within `join_timeout`. Joining several processes is for programs: SIGPIPE must
  // be ignored, which the caller sees to, because Gloo writes to sockets of ranks that may be gone;
  // c10d logs nothing from then on; and a rank that waits forever for others ends its process.
  explicit Ranks(const Launch& launch, std::chrono::seconds join_timeout = std::chrono::minutes(5));
  ~Ranks();
  Ranks(const Ranks&) = delete;
  Ranks& operator=(const Ranks&) = delete;

  int rank() const { return launch_.rank; }
  int size() const { return launch_.size; }
  int local_rank() const { return launch_.local_rank; }  // among the ranks of this machine
  bool is_main() const { return launch_.rank == 0; }     // the rank that writes files and messages

  void set_timeout(int64_t seconds) const;

  // Sets what this rank is doing, for messages on this and other ranks: "update 12".
  void set_activity(const std::string& activity) const;

  double seconds_waited() const;  // waited for other ranks since the start

  // Sums over all ranks, in place and with the same bits on each; `values` is a contiguous tensor
  // on the CPU or on the rank's GPU (distributed/cuda.h).
  void all_reduce_sum(const at::Tensor& values) const;
  void all_reduce_sum(std::span<double> values) const;

  bool any(bool value) const;  // whether it is true on at least one rank

  // Overwrites `values`, a contiguous tensor on the CPU or on the rank's GPU, by those of rank
  // `from`.
  void broadcast(const at::Tensor& values, int from = 0) const;
  std::string broadcast(const std::string& text) const;

  // Returns every rank's text, in the order of ranks, on all of them.
  std::vector<std::string> all_gather(const std::string& text) const;

  // For src/distributed only; null without a launcher.
  const RankGroup* group() const { return group_.get(); }

 private:
  Launch launch_;
  std::unique_ptr<RankGroup> group_;
};

inline const Ranks kSingleProcess;  // not distributed

}  // namespace rubric::distributed
