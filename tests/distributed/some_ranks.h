// Runs a function as the ranks of one run, each a process of its own.
#pragma once

#include <chrono>
#include <csignal>
#include <functional>
#include <string>
#include <vector>

#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <ATen/Parallel.h>

#include "core/error.h"
#include "distributed/ranks.h"

namespace rubric {

// A port that is free now. With `keep` it is listened at, and *keep is the socket. It is below
// Linux's ephemeral ports, which connections of other tests would take before it is used, and each
// process begins at another.
inline int free_port(int* keep = nullptr) {
  constexpr int kFirst = 10000, kPorts = 20000;
  static int next = getpid() * 101 % kPorts;
  const int listener = socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_ANY);
  int port = 0;
  for (int tries = 0; tries < kPorts; ++tries) {
    next = (next + 1) % kPorts;
    port = kFirst + next;
    address.sin_port = htons(static_cast<uint16_t>(port));
    if (bind(listener, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0) break;
    port = 0;
  }
  EXPECT_NE(port, 0) << "no port is free";
  if (keep != nullptr) {
    listen(listener, 1);
    *keep = listener;
  } else {
    close(listener);
  }
  return port;
}

struct RankOutcome {
  int code = -1;        // as a command's exit code; -1: ended by a signal
  std::string message;  // of the exception that ended it
};

// Starts `work` on so many ranks; their outcomes. Expectations that fail in a rank fail the test.
inline std::vector<RankOutcome> run_launches(
    const std::vector<distributed::Launch>& launches,
    const std::function<void(const distributed::Ranks&)>& work,
    std::chrono::seconds join_timeout = std::chrono::minutes(5)) {
  constexpr size_t kLongest = 4096;
  struct Shared {
    char message[kLongest];
  };
  auto* shared =
      static_cast<Shared*>(mmap(nullptr, launches.size() * sizeof(Shared), PROT_READ | PROT_WRITE,
                                MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  std::vector<pid_t> children;
  for (size_t i = 0; i < launches.size(); ++i) {
    children.push_back(fork());
    if (children.back() != 0) continue;
    if (!launches[i].master.empty()) std::signal(SIGPIPE, SIG_IGN);  // as distributed/ranks.h says
    at::set_num_threads(1);  // forks have none of the threads that an earlier test has started
    const auto say = [&](const std::exception& error) {
      std::string(error.what()).copy(shared[i].message, kLongest - 1);
    };
    try {
      work(distributed::Ranks(launches[i], join_timeout));
    } catch (const Interrupted& error) {
      say(error);
      _exit(kInterrupted);
    } catch (const InputError& error) {
      say(error);
      _exit(kBadInput);
    } catch (const std::exception& error) {
      say(error);
      _exit(kFailed);
    }
    _exit(testing::Test::HasFailure() ? 99 : kDone);
  }
  std::vector<RankOutcome> outcomes;
  for (size_t i = 0; i < children.size(); ++i) {
    int status = 0;
    waitpid(children[i], &status, 0);
    outcomes.push_back({WIFEXITED(status) ? WEXITSTATUS(status) : -1, shared[i].message});
    EXPECT_NE(outcomes.back().code, 99) << "rank " << i << " did not find what it expected";
  }
  munmap(shared, launches.size() * sizeof(Shared));
  return outcomes;
}

// The same as one process without other ranks.
inline RankOutcome run_apart(const std::function<void()>& work) {
  return run_launches({distributed::Launch()}, [&](const distributed::Ranks&) { work(); }).front();
}

inline std::vector<RankOutcome> run_ranks(
    int size, const std::function<void(const distributed::Ranks&)>& work) {
  const int port = free_port();
  std::vector<distributed::Launch> launches;
  for (int rank = 0; rank < size; ++rank) launches.push_back({rank, size, rank, "127.0.0.1", port});
  return run_launches(launches, work);
}

}  // namespace rubric
