#include "distributed/ranks.h"

#include <chrono>
#include <cstring>
#include <future>
#include <stdexcept>
#include <thread>
#include <utility>

#include <netdb.h>

#include <ATen/ATen.h>
#include <c10/util/Logging.h>
#include <torch/csrc/distributed/c10d/PrefixStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>
#include <torch/csrc/distributed/c10d/TCPStore.hpp>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/system/log.h"
#include "distributed/process_group.h"

namespace rubric::distributed {

namespace {

using std::chrono::minutes;
using std::chrono::seconds;

constexpr const char* kInterface = "GLOO_SOCKET_IFNAME";  // the name PyTorch uses
constexpr minutes kWorkTimeout(30);    // longer than rank 0 takes to tokenise or to save
constexpr seconds kLastHeartbeats(4);  // for the others to read the heartbeats too
constexpr seconds kQuietWait(10);      // before the user is told that this waits

std::string address_of(const Launch& launch) {
  return launch.master + ":" + std::to_string(launch.port);
}

std::string first_line(const std::string& text) {
  return text.substr(0, text.find('\n'));
}

bool holds_store(const Launch& launch) {
  return launch.rank == 0 && !launch.has_store;
}

// Checked first: c10d would retry until `join_timeout`.
void require_host(const Launch& launch) {
  addrinfo* addresses = nullptr;
  const int failure = getaddrinfo(launch.master.c_str(), nullptr, nullptr, &addresses);
  if (failure != 0) {
    throw InputError(std::string("the host of rank 0 cannot be resolved: ") + gai_strerror(failure),
                     launch.master + ", by " + rank_name(launch),
                     "set MASTER_ADDR to a name or address that every machine knows");
  }
  freeaddrinfo(addresses);
}

// c10d waits forever for the first reply of a program that listens at the port and says nothing;
// the thread that waits is then left behind.
c10::intrusive_ptr<c10d::Store> connect(const std::string& host,
                                        const c10d::TCPStoreOptions& options) {
  using Store = c10::intrusive_ptr<c10d::Store>;
  std::packaged_task<Store()> task(
      [host, options] { return Store(c10::make_intrusive<c10d::TCPStore>(host, options)); });
  std::future<Store> store = task.get_future();
  std::thread(std::move(task)).detach();
  if (store.wait_for(options.timeout + kLastHeartbeats) != std::future_status::ready) {
    throw std::runtime_error("the program at this port does not answer as a rank does");
  }
  return store.get();
}

// Logs once what this rank waits for, where that takes long.
class WaitingNotice {
 public:
  WaitingNotice(const Launch& launch, const std::string& what)
      : thread_([launch, what, met = met_.get_future(), context = current_context()] {
          const ContextScope scope(context);
          if (met.wait_for(kQuietWait) == std::future_status::ready) return;
          log_info(rank_name(launch) + ": " + what + " at " + address_of(launch) +
                   "; set MASTER_ADDR and MASTER_PORT, alike for all ranks, if they look for each "
                   "other at another address or port");
        }) {}
  ~WaitingNotice() {
    met_.set_value();
    thread_.join();
  }
  WaitingNotice(const WaitingNotice&) = delete;
  WaitingNotice& operator=(const WaitingNotice&) = delete;

 private:
  std::promise<void> met_;
  std::thread thread_;
};

c10::intrusive_ptr<c10d::Store> open_store(const Launch& launch, seconds join_timeout) {
  c10d::TCPStoreOptions options;
  options.port = static_cast<uint16_t>(launch.port);
  options.isServer = holds_store(launch);
  options.waitWorkers = false;  // Gloo waits for the workers
  options.timeout = join_timeout;
  try {
    const WaitingNotice notice(launch, "nobody answers");
    return c10::make_intrusive<c10d::PrefixStore>("rubric/" + launch.id,
                                                  connect(launch.master, options));
  } catch (const std::exception& error) {
    std::string what = first_line(error.what());
    if (options.isServer) {
      const bool is_taken = what.find("EADDRINUSE") != std::string::npos;
      throw InputError("rank 0 cannot wait for the others at its port: " +
                           (is_taken ? "another program uses it" : what),
                       address_of(launch),
                       "set MASTER_ADDR to an address of this machine, MASTER_PORT to a free port");
    }
    if (what.find("timed out") != std::string::npos) what = "nobody answers";
    throw InputError(
        "rank 0 cannot be reached: " + what, address_of(launch) + ", from " + rank_name(launch),
        "see what rank 0 says; set MASTER_ADDR and MASTER_PORT to where it can be reached");
  }
}

// The network interface to communicate over: the one that kInterface names, else the one that the
// host's name resolves to. Ranks on one machine use the loopback interface.
std::shared_ptr<gloo::transport::Device> device_of(const Launch& launch) {
  using Gloo = c10d::ProcessGroupGloo;
  const std::string interface = environment(kInterface);
  if (!interface.empty()) {
    try {
      return Gloo::createDeviceForInterface(interface);
    } catch (const std::exception&) {
      throw InputError("there is no network of this name with an address",
                       kInterface + ("=" + interface),
                       "ip -brief address lists those of this machine");
    }
  }
  const bool is_this_machine = launch.master == "localhost" || launch.master.starts_with("127.");
  return is_this_machine ? Gloo::createDeviceForHostname("127.0.0.1") : Gloo::createDefaultDevice();
}

// Waits until all ranks have connected. Throws InputError, on each of them, when one was started
// with another number of ranks.
void meet(c10d::Store& store, const Launch& launch, seconds join_timeout) {
  constexpr std::chrono::milliseconds kPause(50);
  const std::string kFirst = "first", kOther = "other", kConnected = "connected";  // keys
  const std::string name = rank_name(launch), of_size = name.substr(name.find(" of "));
  const auto refuse = [&](const std::string& other) {
    // The other ranks read why, too, and the store ends with this process.
    if (holds_store(launch)) std::this_thread::sleep_for(kLastHeartbeats);
    throw InputError("the ranks were started with different numbers of ranks", name + ", " + other,
                     "start all of them with one command");
  };
  const std::string first = store.compareSet(kFirst, "", name);
  if (!first.ends_with(of_size)) {
    store.set(kOther, name);
    refuse(first);
  }
  store.add(kConnected, 1);
  const auto end = std::chrono::steady_clock::now() + join_timeout;
  while (store.add(kConnected, 0) < launch.size) {
    if (store.check({kOther})) refuse(store.get_to_str(kOther));
    if (std::chrono::steady_clock::now() > end) throw std::runtime_error("the wait was too long");
    std::this_thread::sleep_for(kPause);
  }
}

c10::intrusive_ptr<c10d::ProcessGroup> open_group(
    const c10::intrusive_ptr<c10d::Store>& store, const Launch& launch,
    const std::shared_ptr<gloo::transport::Device>& device, seconds join_timeout) {
  using Group = c10d::ProcessGroup;
  const auto options = c10d::ProcessGroupGloo::Options::create(join_timeout);
  options->devices = {device};
  const auto gloo =
      c10::make_intrusive<c10d::ProcessGroupGloo>(store, launch.rank, launch.size, options);
  gloo->setTimeout(kWorkTimeout);
  auto group = c10::make_intrusive<Group>(store, launch.rank, launch.size);
  group->setBackend(c10::DeviceType::CPU, Group::BackendType::GLOO, gloo);
  group->setDefaultBackend(Group::BackendType::GLOO);
  return group;
}

// Describes the absent ranks before this rank ends because of them.
std::string describe_absent(const RankGroup& group) {
  std::string absent = group.heartbeat->absent();
  // The other ranks read the heartbeats too, and the store ends with this process.
  if (holds_store(group.launch)) std::this_thread::sleep_for(kLastHeartbeats);
  return absent;
}

}  // namespace

Ranks::Ranks() = default;
Ranks::~Ranks() = default;

Ranks::Ranks(const Launch& launch, std::chrono::seconds join_timeout)
    : launch_(launch),
      group_(launch.master.empty() ? nullptr : connect_ranks(launch, join_timeout)) {}

void Ranks::set_timeout(int64_t seconds) const {
  if (!group_) return;
  const std::chrono::milliseconds timeout = std::chrono::seconds(seconds);
  group_->heartbeat->set_timeout(timeout);
  group_->process_group->getBackend(c10::DeviceType::CPU)->setTimeout(timeout);
}

void Ranks::set_activity(const std::string& activity) const {
  if (group_) group_->heartbeat->enter(activity);
}

double Ranks::seconds_waited() const {
  return group_ ? group_->heartbeat->seconds_waited() : 0;
}

void Ranks::all_reduce_sum(const at::Tensor& values) const {
  if (!group_) return;
  std::vector<at::Tensor> tensors = {values};
  group_->run([&] { return group_->process_group->allreduce(tensors); });
}

void Ranks::all_reduce_sum(std::span<double> values) const {
  all_reduce_sum(at::from_blob(values.data(), {std::ssize(values)}, at::kDouble));
}

bool Ranks::any(bool value) const {
  double count = value ? 1 : 0;
  all_reduce_sum({&count, 1});
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
  return all_gather(is_main() ? text : "").front();
}

std::vector<std::string> Ranks::all_gather(const std::string& text) const {
  if (!group_) return {text};
  // Gloo's allgather needs equal sizes: texts are padded to the longest.
  at::Tensor sizes = at::zeros({size()}, at::kLong);
  sizes[rank()] = std::ssize(text);
  all_reduce_sum(sizes);
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

std::string rank_name(const Launch& launch) {
  return "rank " + std::to_string(launch.rank) + " of " + std::to_string(launch.size);
}

std::unique_ptr<RankGroup> connect_ranks(const Launch& launch, seconds join_timeout) {
  // c10d also throws what it logs; its log lines bury the message under stack traces.
  if (environment("TORCH_CPP_LOG_LEVEL").empty()) FLAGS_caffe2_log_level = c10::GLOG_FATAL;
  require_host(launch);
  const auto device = device_of(launch);
  auto group = std::make_unique<RankGroup>();
  group->launch = launch;
  group->store = open_store(launch, join_timeout);
  group->heartbeat =
      std::make_unique<Heartbeat>(group->store->clone(), launch.rank, launch.size, kWorkTimeout);
  try {
    const WaitingNotice notice(launch, "waiting for the other ranks");
    meet(*group->store, launch, join_timeout);
    group->process_group = open_group(group->store, launch, device, join_timeout);
  } catch (const InputError&) {
    throw;
  } catch (const std::exception& error) {
    throw Error("not all ranks have connected: " + first_line(error.what()) + "\n" +
                    describe_absent(*group),
                rank_name(launch) + ", at " + address_of(launch),
                "see what the other ranks say; GLOO_SOCKET_IFNAME names the network to use");
  }
  return group;
}

void RankGroup::throw_lost(const std::exception& failure) const {
  const bool is_torch_error = dynamic_cast<const c10::Error*>(&failure) != nullptr;
  if (is_torch_error && dynamic_cast<const c10::DistError*>(&failure) == nullptr) throw;
  const std::string absent = describe_absent(*this);
  throw LostRank((absent.empty() ? "the connection to another rank broke" : absent) + "\n" +
                     first_line(failure.what()),
                 rank_name(launch),
                 "see what the other ranks say, and start the same command again");
}

}  // namespace rubric::distributed
