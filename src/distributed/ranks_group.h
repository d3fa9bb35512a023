// What stands behind Ranks: c10d's process group. Its headers are slow to compile; only files of
// this folder include it.
#pragma once

#include <chrono>
#include <exception>
#include <memory>
#include <string>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "distributed/launch.h"
#include "distributed/process_group.h"

namespace rubric {

struct RanksGroup {
  Launch launch;
  c10::intrusive_ptr<c10d::Store> store;  // lives as long as the ranks: others may still read it
  std::unique_ptr<RollCall> roll_call;    // outlives the group, which may take for ever to end
  c10::intrusive_ptr<c10d::ProcessGroup> process_group;  // Gloo for tensors of the CPU

  // Waits for what `start` starts. Throws LostRank that names those that did not come to it.
  template <class Start>
  void run(const Start& start) const {
    const RollCall::Waiting waiting(*roll_call);
    try {
      start()->wait();
    } catch (const std::exception& error) {
      throw_lost(error);
    }
  }

  // Called in the handler of `failure`, which ended a collective: throws it again when it is no
  // failure of communication, as a GPU's own may come to light there.
  [[noreturn]] void throw_lost(const std::exception& failure) const;
};

// Meets the other ranks of `launch`: as Ranks' constructor.
std::unique_ptr<RanksGroup> meet(const Launch& launch, std::chrono::seconds join_timeout);

std::string rank_name(const Launch& launch);  // "rank 1 of 8"

}  // namespace rubric
