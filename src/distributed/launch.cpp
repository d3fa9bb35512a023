#include "distributed/launch.h"

#include <algorithm>
#include <optional>
#include <vector>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/text/ascii.h"

namespace rubric::distributed {
namespace {

using Names = std::vector<const char*>;

constexpr int kMostRanks = 1'000'000, kMostPorts = 65535;

// Lists the variables for messages: "RANK=1, WORLD_SIZE is not set".
std::string describe_variables(const Variables& variables, const Names& names) {
  std::vector<std::string> parts;
  for (const char* name : names) {
    const std::string value = variables(name);
    parts.push_back(name + (value.empty() ? std::string(" is not set") : "=" + value));
  }
  return join(parts);
}

// One launcher's variables. Errors list all of them.
class Group {
 public:
  Group(const char* launcher, const Variables& variables, Names names)
      : launcher_(launcher), variables_(variables), names_(std::move(names)) {}

  int number(const char* name, int least, int most) const {
    const std::optional<int64_t> value = parse_count(variables_(name));
    if (!value || *value < least || *value > most) {
      fail(std::string(name) + (variables_(name).empty()
                                    ? " is not set"
                                    : " is not a whole number from " + std::to_string(least) +
                                          " to " + std::to_string(most)));
    }
    return static_cast<int>(*value);
  }

  std::string text(const char* name) const {
    std::string value = variables_(name);
    if (value.empty()) fail(std::string(name) + " is not set");
    return value;
  }

  // Reads rank, size and local rank.
  Launch place(const char* rank, const char* size, const char* local_rank) const {
    Launch launch;
    launch.size = number(size, 1, kMostRanks);
    launch.rank = number(rank, 0, kMostRanks);
    launch.local_rank = number(local_rank, 0, kMostRanks);
    for (const auto& [name, value] :
         {std::pair(rank, launch.rank), {local_rank, launch.local_rank}}) {
      if (value >= launch.size) fail(std::string(name) + " must be below " + size);
    }
    return launch;
  }

  [[noreturn]] void fail(const std::string& what) const {
    throw InputError(
        std::string("the environment of ") + launcher_ + " is incomplete: " + what,
        describe_variables(variables_, names_),
        std::string("start it with ") + launcher_ + ", or unset these variables for one process");
  }

 private:
  const char* launcher_;
  const Variables& variables_;
  Names names_;
};

// A port that all ranks of one job derive alike and that another job on the machine is unlikely to
// derive; below Linux's ephemeral ports.
int port_of(const std::string& job) {
  constexpr uint64_t kFirst = 10000, kPorts = 20000;
  return static_cast<int>(kFirst + sha256_bits(job) % kPorts);
}

Launch torchrun(const Variables& variables) {
  const Group group("torchrun", variables,
                    {"RANK", "WORLD_SIZE", "LOCAL_RANK", "MASTER_ADDR", "MASTER_PORT"});
  Launch launch = group.place("RANK", "WORLD_SIZE", "LOCAL_RANK");
  launch.master = group.text("MASTER_ADDR");
  launch.port = group.number("MASTER_PORT", 1, kMostPorts);
  launch.has_store = variables("TORCHELASTIC_USE_AGENT_STORE") == "True";
  launch.id = variables("TORCHELASTIC_RUN_ID") + "." + variables("TORCHELASTIC_RESTART_COUNT");
  return launch;
}

// Throws when it is ambiguous which launcher started this process: mpirun in a Slurm step or srun
// in a process of mpirun.
void require_one_launcher(const Variables& variables) {
  const auto differ = [&](const char* of_slurm, const char* of_mpi) {
    const std::string value = variables(of_mpi);
    return !value.empty() && value != variables(of_slurm);
  };
  if (!differ("SLURM_PROCID", "OMPI_COMM_WORLD_RANK") &&
      !differ("SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_SIZE")) {
    return;
  }
  throw InputError(
      "the environment has variables of both srun and mpirun, which contradict each other",
      describe_variables(variables, {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "OMPI_COMM_WORLD_RANK",
                                     "OMPI_COMM_WORLD_SIZE"}),
      "start it with mpirun and env -u SLURM_STEP_NUM_TASKS, or with srun and env -u "
      "OMPI_COMM_WORLD_RANK -u OMPI_COMM_WORLD_SIZE");
}

Launch slurm(const Variables& variables) {
  require_one_launcher(variables);
  const char* const nodes =
      variables("SLURM_STEP_NODELIST").empty() ? "SLURM_JOB_NODELIST" : "SLURM_STEP_NODELIST";
  const Group group("srun", variables,
                    {"SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", nodes, "SLURM_JOB_ID",
                     "MASTER_ADDR", "MASTER_PORT"});
  Launch launch = group.place("SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID");
  if (launch.size == 1) return launch;
  launch.master = variables("MASTER_ADDR");
  if (launch.master.empty()) launch.master = first_host(group.text(nodes));
  const std::string step = group.text("SLURM_JOB_ID") + "." + variables("SLURM_STEP_ID");
  launch.port =
      variables("MASTER_PORT").empty() ? port_of(step) : group.number("MASTER_PORT", 1, kMostPorts);
  launch.id = step + "." + variables("SLURM_RESTART_COUNT");
  return launch;
}

Launch open_mpi(const Variables& variables) {
  const Group group("mpirun", variables,
                    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
                     "OMPI_COMM_WORLD_LOCAL_SIZE", "PMIX_NAMESPACE", "MASTER_ADDR", "MASTER_PORT"});
  Launch launch =
      group.place("OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK");
  if (launch.size == 1) return launch;
  const bool is_one_machine =
      variables("OMPI_COMM_WORLD_LOCAL_SIZE") == variables("OMPI_COMM_WORLD_SIZE");
  launch.master = variables("MASTER_ADDR");
  if (launch.master.empty()) {
    if (!is_one_machine) group.fail("on several machines MASTER_ADDR names the one of rank 0");
    launch.master = "127.0.0.1";
  }
  launch.id = variables("PMIX_NAMESPACE");
  launch.port = !launch.id.empty() && variables("MASTER_PORT").empty()
                    ? port_of(launch.id)
                    : group.number("MASTER_PORT", 1, kMostPorts);
  return launch;
}

}  // namespace

std::string first_host(const std::string& node_list) {
  std::string host;
  bool is_whole = true;
  for (size_t i = 0; i < node_list.size() && node_list[i] != ','; ++i) {
    if (node_list[i] != '[') {
      is_whole = is_whole && node_list[i] != ']';
      host += node_list[i];
      continue;
    }
    const size_t close = node_list.find(']', i);
    const size_t end = node_list.find_first_of("-,]", i);  // the end of the first number
    is_whole = is_whole && close != std::string::npos && end > i + 1;
    if (!is_whole) break;
    host += node_list.substr(i + 1, end - i - 1);
    i = close;
  }
  if (is_whole && !host.empty()) return host;
  throw InputError("Slurm's list of nodes cannot be read", node_list,
                   "set MASTER_ADDR to the host of rank 0");
}

Launch read_launch(const Variables& variables) {
  const auto is_set = [&](const char* name) { return !variables(name).empty(); };
  if (is_set("RANK") || is_set("WORLD_SIZE")) return torchrun(variables);
  // Only a step that srun started has SLURM_STEP_NUM_TASKS: the shell of sbatch and salloc also has
  // SLURM_PROCID and SLURM_NTASKS, and an interactive step has the tasks of its job.
  if (is_set("SLURM_STEP_NUM_TASKS")) return slurm(variables);
  if (is_set("OMPI_COMM_WORLD_RANK") || is_set("OMPI_COMM_WORLD_SIZE")) return open_mpi(variables);
  return {};
}

Launch read_launch() {
  return read_launch([](const char* name) { return environment(name); });
}

}  // namespace rubric::distributed
