// What stands behind Ranks: c10d's process group, and a heartbeat through the store at which the
// ranks met, which names ranks that are lost, stopped or late and ends a rank that waits forever.
// Its headers are slow to compile; only files of this directory include it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <torch/csrc/distributed/c10d/ProcessGroup.hpp>
#include <torch/csrc/distributed/c10d/Store.hpp>

#include "distributed/launch.h"

namespace rubric::distributed {

// A thread publishes this rank's status twice a second. It ends the process, with a line for each
// absent rank on stderr and exit code 1, when the rank has waited for others five seconds longer
// than `timeout`: the blocking operation has the same timeout and should have thrown before.
class Heartbeat {
 public:
  // Only the thread uses `store`.
  Heartbeat(c10::intrusive_ptr<c10d::Store> store, int rank, int size,
            std::chrono::milliseconds timeout);
  ~Heartbeat();  // publishes that this rank has ended
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  void set_timeout(std::chrono::milliseconds timeout);
  void enter(const std::string& place);  // sets what this rank is doing

  // This rank counts as waiting for the others while one exists.
  class Waiting {
   public:
    explicit Waiting(Heartbeat& heartbeat);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    Heartbeat& heartbeat_;
  };

  double seconds_waited() const;  // summed over all Waiting objects that have ended

  // Describes the other ranks that do not wait, a line each: "rank 3 is gone or stopped; it was
  // last seen at update 12". "" when all wait. Takes about two seconds, in which live ranks publish
  // their status. The caller must end: its process is killed ten seconds later.
  std::string absent();

 private:
  struct State;  // shared with the thread, which is detached when the store does not answer

  std::shared_ptr<State> state_;
  std::thread thread_;
};

// The process group of a run and what belongs to it.

struct RankGroup {
  Launch launch;
  c10::intrusive_ptr<c10d::Store> store;  // kept as long as the ranks: others may still read it
  std::unique_ptr<Heartbeat> heartbeat;   // outlives the group, whose destructor may block forever
  c10::intrusive_ptr<c10d::ProcessGroup> process_group;  // Gloo for CPU tensors

  // Starts a collective operation and waits for it. Throws LostRank that names the ranks that did
  // not join it.
  template <class Start>
  void run(const Start& start) const {
    const Heartbeat::Waiting waiting(*heartbeat);
    try {
      start()->wait();
    } catch (const std::exception& error) {
      throw_lost(error);
    }
  }

  // To be called in the handler of `failure`, which ended a collective operation. Throws LostRank,
  // or rethrows when the failure is not one of communication (a GPU error may surface there).
  [[noreturn]] void throw_lost(const std::exception& failure) const;
};

// Connects to the other ranks of `launch`; throws as Ranks' constructor does.
std::unique_ptr<RankGroup> connect_ranks(const Launch& launch, std::chrono::seconds join_timeout);

std::string rank_name(const Launch& launch);  // "rank 1 of 8"

}  // namespace rubric::distributed
