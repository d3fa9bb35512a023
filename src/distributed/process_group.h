// Where every rank of a run stands, told through the store at which they met: what names a rank
// that is lost, stopped or late, and ends one that waits for ever.
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

// A thread tells twice a second where this rank stands. It ends the process, with a line for each
// rank on stderr and exit code 1, when the rank has waited for others for five seconds longer than
// `timeout`: what waits has that timeout itself, and should have ended before.
class Heartbeat {
 public:
  // `store` is used by the thread alone.
  Heartbeat(c10::intrusive_ptr<c10d::Store> store, int rank, int size,
            std::chrono::milliseconds timeout);
  ~Heartbeat();  // tells that this rank has ended
  Heartbeat(const Heartbeat&) = delete;
  Heartbeat& operator=(const Heartbeat&) = delete;

  void set_timeout(std::chrono::milliseconds timeout);
  void enter(const std::string& place);  // what this rank does from now on

  // While one lives, this rank waits for the others.
  class Waiting {
   public:
    explicit Waiting(Heartbeat& heartbeat);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    Heartbeat& heartbeat_;
  };

  double seconds_waited() const;  // in all Waiting that have ended

  // The other ranks that do not wait, a line each: "rank 3 is gone or stopped; it stood at update
  // 12 when last heard of". "" when all wait. Takes some two seconds, in which the ranks must tell
  // something. Who asks is to end: its process is ended ten seconds later.
  std::string absent();

 private:
  struct State;  // shared with the thread, which is left behind when the store does not answer

  std::shared_ptr<State> state_;
  std::thread thread_;
};

// What stands behind Ranks: c10d's process group. Its headers are slow to compile; only files of
// this folder include it.

struct RankGroup {
  Launch launch;
  c10::intrusive_ptr<c10d::Store> store;  // lives as long as the ranks: others may still read it
  std::unique_ptr<Heartbeat> heartbeat;   // outlives the group, which may take for ever to end
  c10::intrusive_ptr<c10d::ProcessGroup> process_group;  // Gloo for tensors of the CPU

  // Waits for what `start` starts. Throws LostRank that names those that did not come to it.
  template <class Start>
  void run(const Start& start) const {
    const Heartbeat::Waiting waiting(*heartbeat);
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
std::unique_ptr<RankGroup> meet(const Launch& launch, std::chrono::seconds join_timeout);

std::string rank_name(const Launch& launch);  // "rank 1 of 8"

}  // namespace rubric::distributed
