#include "distributed/ranks.h"

#include <chrono>
#include <cstring>
#include <utility>

#include <netdb.h>

#include <ATen/ATen.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "core/error.h"
#include "core/files.h"

namespace rubric {
namespace {

using std::chrono::minutes;

constexpr minutes kJoinTimeout(5);   // until all ranks have come
constexpr minutes kWorkTimeout(30);  // longer than rank 0 takes to tokenise or to save

std::string name_of(const Launch& launch) {
  return "rank " + std::to_string(launch.rank) + " of " + std::to_string(launch.size);
}

std::string place_of(const Launch& launch) {
  return launch.master + ":" + std::to_string(launch.port);
}

std::string first_line(const std::exception& error) {
  const std::string text = error.what();
  return text.substr(0, text.find('\n'));
}

// c10d would try again for as long as it waits for ranks.
void require_host(const Launch& launch) {
  addrinfo* addresses = nullptr;
  const int failure = getaddrinfo(launch.master.c_str(), nullptr, nullptr, &addresses);
  if (failure != 0) {
    throw InputError(std::string("the host of rank 0 cannot be resolved: ") + gai_strerror(failure),
                     launch.master + ", by " + name_of(launch),
                     "set MASTER_ADDR to a name or address that every machine knows");
  }
  freeaddrinfo(addresses);
}

c10::intrusive_ptr<c10d::Store> open_store(const Launch& launch) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(launch.port);
  options.isServer = launch.rank == 0 && !launch.has_store;
  options.waitWorkers = false;  // Gloo waits for them
  options.timeout = kJoinTimeout;
  try {
    return c10::make_intrusive<c10d::PrefixStore>(
        "rubric/" + launch.attempt, c10::make_intrusive<c10d::TCPStore>(launch.master, options));
  } catch (const std::exception& error) {
    if (options.isServer) {
      throw InputError("rank 0 cannot wait for the others at its port: " + first_line(error),
                       place_of(launch), "set MASTER_PORT to a free port of this machine");
    }
    throw Error("rank 0 cannot be reached: " + first_line(error),
                place_of(launch) + ", from " + name_of(launch),
                "see what rank 0 says; set MASTER_ADDR and MASTER_PORT to where it can be reached");
  }
}

// The network of this machine that is spoken over: GLOO_SOCKET_IFNAME names it, as for PyTorch's
// programs; else what the host's name leads to. Ranks of one machine need none.
std::shared_ptr<gloo::transport::Device> device_of(const Launch& launch) {
  using Gloo = c10d::ProcessGroupGloo;
  const std::string interface = environment("GLOO_SOCKET_IFNAME");
  if (!interface.empty()) return Gloo::createDeviceForInterface(interface);
  const bool is_this_machine = launch.master == "localhost" || launch.master.starts_with("127.");
  return is_this_machine ? Gloo::createDeviceForHostname("127.0.0.1") : Gloo::createDefaultDevice();
}

}  // namespace

struct Ranks::Group {
  c10::intrusive_ptr<c10d::Store> store;  // lives as long as the ranks: others may still read it
  c10::intrusive_ptr<c10d::ProcessGroupGloo> gloo;

  explicit Group(const Launch& launch) {
    require_host(launch);
    store = open_store(launch);
    try {
      const auto options = c10d::ProcessGroupGloo::Options::create(kJoinTimeout);
      options->devices = {device_of(launch)};
      gloo = c10::make_intrusive<c10d::ProcessGroupGloo>(store, launch.rank, launch.size, options);
      gloo->setTimeout(kWorkTimeout);
    } catch (const std::exception& error) {
      throw Error("not all ranks have come together: " + first_line(error),
                  name_of(launch) + ", at " + place_of(launch),
                  "see what the other ranks say; GLOO_SOCKET_IFNAME names the network to use");
    }
  }

  // Waits for what `start` starts.
  template <class Start>
  void run(const Launch& launch, const Start& start) const {
    try {
      start()->wait();
    } catch (const std::exception& error) {
      throw Error("another rank is gone or does not answer: " + first_line(error), name_of(launch),
                  "see what the other ranks say, and start the same command again");
    }
  }
};

Ranks::Ranks() = default;
Ranks::~Ranks() = default;

Ranks::Ranks(const Launch& launch)
    : launch_(launch), group_(launch.size > 1 ? std::make_unique<Group>(launch) : nullptr) {}

void Ranks::sum(const at::Tensor& values) const {
  if (!group_) return;
  std::vector<at::Tensor> tensors = {values};
  group_->run(launch_, [&] { return group_->gloo->allreduce(tensors); });
}

void Ranks::sum(std::span<double> values) const {
  sum(at::from_blob(values.data(), {std::ssize(values)}, at::kDouble));
}

bool Ranks::any(bool value) const {
  double count = value ? 1 : 0;
  sum({&count, 1});
  return count > 0;
}

void Ranks::broadcast(const at::Tensor& values) const {
  if (!group_) return;
  std::vector<at::Tensor> tensors = {values};
  group_->run(launch_, [&] { return group_->gloo->broadcast(tensors); });
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
    group_->run(launch_, [&] { return group_->gloo->allgather(all, mine); });
  }
  std::vector<std::string> texts;
  for (int i = 0; i < size(); ++i) {
    texts.emplace_back(static_cast<const char*>(all[0][static_cast<size_t>(i)].const_data_ptr()),
                       static_cast<size_t>(sizes[i].item<int64_t>()));
  }
  return texts;
}

}  // namespace rubric
