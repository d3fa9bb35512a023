// Where every rank of a run stands, told through the store at which they met: what names a rank
// that is lost, stopped or late, and ends one that waits for ever.
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include <torch/csrc/distributed/c10d/Store.hpp>

namespace rubric {

// A thread tells twice a second where this rank stands. It ends the process, with a line for each
// rank on stderr and exit code 1, when the rank has waited for others for five seconds longer than
// `timeout`: what waits has that timeout itself, and should have ended before.
class RollCall {
 public:
  // `store` is used by the thread alone.
  RollCall(c10::intrusive_ptr<c10d::Store> store, int rank, int size,
           std::chrono::milliseconds timeout);
  ~RollCall();  // tells that this rank has ended
  RollCall(const RollCall&) = delete;
  RollCall& operator=(const RollCall&) = delete;

  void set_timeout(std::chrono::milliseconds timeout);
  void enter(const std::string& place);  // what this rank does from now on

  // While one lives, this rank waits for the others.
  class Waiting {
   public:
    explicit Waiting(RollCall& roll_call);
    ~Waiting();
    Waiting(const Waiting&) = delete;
    Waiting& operator=(const Waiting&) = delete;

   private:
    RollCall& roll_call_;
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

}  // namespace rubric
