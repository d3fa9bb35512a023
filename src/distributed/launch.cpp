#include "distributed/launch.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include <unistd.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/text/ascii.h"

namespace rubric::distributed {
namespace {

constexpr int kMostRanks = 1'000'000, kMostPorts = 65535;

// Up to four names of variables.
struct Names {
  const char* names[4] = {};

  const char* const* begin() const { return std::begin(names); }
  const char* const* end() const { return std::find(std::begin(names), std::end(names), nullptr); }
  bool empty() const { return names[0] == nullptr; }
};

// The variables of a launcher. Of several names for one value the first that is set counts; empty:
// the launcher has none.
struct Launcher {
  const char* name;  // for messages
  Names signs;       // that it started this process: one of them is enough
  Names rank, size, local_rank = {}, local_size = {};
  Names job = {};          // tells its jobs apart
  Names starts = {};       // with it, what tells the steps and starts of one job apart: all of them
  Names nodes = {};        // the hosts, rank 0's first
  bool names_all = false;  // MASTER_ADDR and MASTER_PORT are the launcher's
  // Its ranks may be on several machines, and nothing says whether they are.
  bool hides_machines = false;
};

// Not in the environment: the number of the launcher's process on this machine.
constexpr const char* kStarter = "STARTER";

// In the order in which they count. The last ones give a process its rank, but not the number of
// processes: PMI's variables, which are set beside most of them, do. Only a step that srun started
// has SLURM_STEP_NUM_TASKS: the shell of sbatch and salloc also has SLURM_PROCID and SLURM_NTASKS,
// and an interactive step has the tasks of its job.
constexpr Launcher kLaunchers[] = {
    {.name = "torchrun",
     .signs = {"RANK", "WORLD_SIZE"},
     .rank = {"RANK"},
     .size = {"WORLD_SIZE"},
     .local_rank = {"LOCAL_RANK"},
     .local_size = {"LOCAL_WORLD_SIZE"},
     .job = {"TORCHELASTIC_RUN_ID"},
     .starts = {"TORCHELASTIC_RESTART_COUNT"},
     .names_all = true},
    {.name = "srun",
     .signs = {"SLURM_STEP_NUM_TASKS"},
     .rank = {"SLURM_PROCID"},
     .size = {"SLURM_STEP_NUM_TASKS"},
     .local_rank = {"SLURM_LOCALID"},
     .job = {"SLURM_JOB_ID"},
     .starts = {"SLURM_STEP_ID", "SLURM_RESTART_COUNT"},
     .nodes = {"SLURM_STEP_NODELIST", "SLURM_JOB_NODELIST"}},
    {.name = "mpirun",  // Open MPI's
     .signs = {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
     .rank = {"OMPI_COMM_WORLD_RANK"},
     .size = {"OMPI_COMM_WORLD_SIZE"},
     .local_rank = {"OMPI_COMM_WORLD_LOCAL_RANK"},
     .local_size = {"OMPI_COMM_WORLD_LOCAL_SIZE"},
     .job = {"PMIX_NAMESPACE"}},
    {.name = "mpiexec",  // of MPICH, Intel MPI and others: PMI
     .signs = {"PMI_RANK", "PMI_SIZE"},
     .rank = {"PMI_RANK"},
     .size = {"PMI_SIZE"},
     .local_rank = {"MPI_LOCALRANKID", "PMI_LOCAL_RANK", "PALS_LOCAL_RANKID"},
     .local_size = {"MPI_LOCALNRANKS", "PMI_LOCAL_SIZE", "PALS_LOCAL_SIZE"},
     .job = {"PMI_JOBID", "PALS_APID", "I_MPI_HYDRA_UUID", kStarter}},
    {.name = "mpirun_rsh",  // MVAPICH's
     .signs = {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
     .rank = {"MV2_COMM_WORLD_RANK"},
     .size = {"MV2_COMM_WORLD_SIZE"},
     .local_rank = {"MV2_COMM_WORLD_LOCAL_RANK"},
     .local_size = {"MV2_COMM_WORLD_LOCAL_SIZE"},
     .job = {kStarter}},
    {.name = "jsrun",  // of IBM's JSM
     .signs = {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"},
     .rank = {"JSM_NAMESPACE_RANK"},
     .size = {"JSM_NAMESPACE_SIZE"},
     .local_rank = {"JSM_NAMESPACE_LOCAL_RANK"},
     .local_size = {"JSM_NAMESPACE_LOCAL_SIZE"},
     .job = {"PMIX_NAMESPACE"}},
    {.name = "flux run",
     .signs = {"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
     .rank = {"FLUX_TASK_RANK"},
     .size = {"FLUX_JOB_SIZE"},
     .local_rank = {"FLUX_TASK_LOCAL_ID"},
     .job = {"FLUX_JOB_ID"},
     .hides_machines = true},
    {.name = "horovodrun",
     .signs = {"HOROVOD_RANK", "HOROVOD_SIZE"},
     .rank = {"HOROVOD_RANK"},
     .size = {"HOROVOD_SIZE"},
     .local_rank = {"HOROVOD_LOCAL_RANK"},
     .local_size = {"HOROVOD_LOCAL_SIZE"}},
    // The size is also a setting of the shell that starts these two.
    {.name = "poe",  // of IBM's Parallel Environment
     .signs = {"MP_CHILD"},
     .rank = {"MP_CHILD"},
     .size = {"MP_PROCS"},
     .local_rank = {"LOCAL_RANK"},
     .hides_machines = true},
    {.name = "mpirun_rsh of MVAPICH 1",
     .signs = {"MPIRUN_RANK"},
     .rank = {"MPIRUN_RANK"},
     .size = {"MPIRUN_NPROCS"},
     .local_rank = {"LOCAL_RANK"},
     .hides_machines = true},
    {.name = "mpiexec of PALS", .signs = {"PALS_RANKID"}, .rank = {"PALS_RANKID"}, .size = {}},
    {.name = "aprun", .signs = {"ALPS_APP_PE"}, .rank = {"ALPS_APP_PE"}, .size = {}},
    {.name = "PMIx", .signs = {"PMIX_RANK"}, .rank = {"PMIX_RANK"}, .size = {}},
    {.name = "mpiexec -pmi-port", .signs = {"PMI_ID"}, .rank = {"PMI_ID"}, .size = {}},
};

// The name that is set, else the first; "" of none.
std::string name_of(const Variables& variables, const Names& names) {
  const auto set =
      std::ranges::find_if(names, [&](const char* name) { return !variables(name).empty(); });
  return set != names.end() ? *set : names.empty() ? "" : *names.begin();
}

// Lists the variables for messages: "RANK=1, WORLD_SIZE is not set".
std::string describe(const Variables& variables, const std::vector<std::string>& names) {
  std::vector<std::string> parts;
  for (const std::string& name : names) {
    const std::string value = variables(name.c_str());
    parts.push_back(name + (value.empty() ? std::string(" is not set") : "=" + value));
  }
  return join(parts);
}

// "env -u RANK -u WORLD_SIZE", which starts a program without the variables of these launchers, of
// `kept` excepted.
std::string without(std::span<const Launcher* const> launchers, const Launcher* kept = nullptr) {
  std::string command = "env";
  for (const Launcher* const launcher : launchers) {
    if (launcher == kept) continue;
    for (const char* const name : launcher->signs) command += std::string(" -u ") + name;
  }
  return command;
}

// A port that all ranks of one job derive alike and that another job on the machine is unlikely to
// derive; below Linux's ephemeral ports.
int port_of(const std::string& job) {
  constexpr uint64_t kFirst = 10000, kPorts = 20000;
  return static_cast<int>(kFirst + sha256_bits(job) % kPorts);
}

// Reads one launcher's variables. Errors list all of them.
class Reader {
 public:
  Reader(const Launcher& launcher, const Variables& variables)
      : launcher_(launcher), variables_(variables) {}

  std::string text(const Names& names) const {
    const std::string name = name_of(variables_, names);
    return name.empty() ? "" : variables_(name.c_str());
  }

  // nullopt where no name is set.
  std::optional<int> number(const Names& names, int least, int most) const {
    const std::string name = name_of(variables_, names), value = text(names);
    if (value.empty()) return std::nullopt;
    const std::optional<int64_t> number = parse_count(value);
    if (number && *number >= least && *number <= most) return static_cast<int>(*number);
    refuse("cannot be read: " + name + "=" + value + " is not a whole number from " +
           std::to_string(least) + " to " + std::to_string(most));
  }

  // A group of one needs no more than its size.
  Launch place() const {
    if (launcher_.size.empty()) fail("no variable gives the number of processes");
    Launch launch;
    launch.size = number(launcher_.size, 1, kMostRanks).value_or(0);
    if (launch.size == 0) fail_unset(launcher_.size);
    launch.rank = index(launcher_.rank, launch.size, launcher_.size).value_or(0);
    if (launch.size > 1 && text(launcher_.rank).empty()) fail_unset(launcher_.rank);
    const std::optional<int> local_size = number(launcher_.local_size, 1, kMostRanks);
    if (local_size && *local_size > launch.size) {
      contradict(launcher_.local_size, launcher_.size);
    }
    const Names& limit = local_size ? launcher_.local_size : launcher_.size;
    const auto local_rank = index(launcher_.local_rank, local_size.value_or(launch.size), limit);
    const bool may_lack = launch.size == 1 || (may_be_one_machine() && !local_size);
    if (!local_rank && !may_lack) fail_unset(launcher_.local_rank);
    launch.local_rank = local_rank.value_or(launch.rank);
    return launch;
  }

  // Where the ranks of `launch` meet, and what tells this start of their job from others.
  void add_meeting(Launch& launch) const {
    const Names address = {"MASTER_ADDR"}, port = {"MASTER_PORT"};
    launch.master = text(address);
    launch.port = number(port, 1, kMostPorts).value_or(0);
    const std::optional<int> local_size = number(launcher_.local_size, 1, kMostRanks);
    const bool is_one_machine =
        may_be_one_machine() && local_size.value_or(launch.size) == launch.size;
    if (launch.master.empty() && launcher_.names_all) fail_unset(address);
    if (launch.master.empty() && !launcher_.nodes.empty()) {
      if (text(launcher_.nodes).empty()) fail_unset(launcher_.nodes);
      launch.master = first_host(text(launcher_.nodes));
    }
    if (launch.master.empty() && !is_one_machine) {
      fail("on several machines MASTER_ADDR names the one of rank 0");
    }
    if (launch.master.empty()) launch.master = "127.0.0.1";
    const std::string job = name_of(variables_, launcher_.job);
    const bool names_job = !text(launcher_.job).empty() && (job != kStarter || is_one_machine);
    if (names_job) launch.id = text(launcher_.job);
    for (const char* const name : launcher_.starts) launch.id += "." + variables_(name);
    if (launch.port > 0) return;
    if (launcher_.names_all || !names_job) fail_unset(port);
    launch.port = port_of(launch.id);
  }

  [[noreturn]] void fail(const std::string& what) const { refuse("are incomplete: " + what); }

 private:
  // Whether ranks are on one machine if nothing says otherwise.
  bool may_be_one_machine() const {
    return launcher_.nodes.empty() && !launcher_.names_all && !launcher_.hides_machines;
  }

  [[noreturn]] void contradict(const Names& number, const Names& limit) const {
    refuse("contradict each other: " +
           describe(variables_, {name_of(variables_, number), name_of(variables_, limit)}));
  }

  [[noreturn]] void refuse(const std::string& what) const {
    std::vector<std::string> names;
    for (const Names* const of : {&launcher_.rank, &launcher_.size, &launcher_.local_rank,
                                  &launcher_.local_size, &launcher_.job, &launcher_.nodes}) {
      const std::string name = name_of(variables_, *of);
      if (!name.empty() && name != kStarter) names.push_back(name);  // kStarter is no variable
    }
    names.insert(names.end(), {"MASTER_ADDR", "MASTER_PORT"});
    throw InputError(
        std::string("the variables of ") + launcher_.name + " " + what, describe(variables_, names),
        (launcher_.size.empty() ? "start one process with "
                                : std::string("start it with ") + launcher_.name + ", or with ") +
            without(std::array{&launcher_}) + (launcher_.size.empty() ? "" : " for one process") +
            "; RANK, WORLD_SIZE, LOCAL_RANK, MASTER_ADDR and MASTER_PORT, set for "
            "each process, go before all other variables");
  }

  // A number below `size`, which `limit` names.
  std::optional<int> index(const Names& names, int size, const Names& limit) const {
    const std::optional<int> value = number(names, 0, kMostRanks);
    if (value && *value >= size) contradict(names, limit);
    return value;
  }

  [[noreturn]] void fail_unset(const Names& names) const {
    fail(name_of(variables_, names) + " is not set");
  }

  const Launcher& launcher_;
  const Variables& variables_;
};

// Throws when it is ambiguous which of two launchers started this process, such as mpirun in a step
// of srun. torchrun may run in each process of another one: it then starts more processes than
// that. The first one of those that were found counts, and started `launch`.
void require_agreement(const Launch& launch, std::span<const Launcher* const> found,
                       const Launcher& other, const Variables& variables) {
  const Launcher& launcher = *found.front();
  const Reader reader(other, variables);
  const std::optional<int> rank = reader.number(other.rank, 0, kMostRanks),
                           size = reader.number(other.size, 1, kMostRanks);
  const bool is_other_size = size && *size != launch.size,
             is_other_rank = rank && *rank != launch.rank;
  if (launcher.names_all) {
    const bool is_agent = !variables("TORCHELASTIC_RUN_ID").empty();  // which numbers ranks itself
    const bool is_nested = !size || *size < launch.size || (*size == launch.size && is_agent);
    if (is_nested || (!is_other_size && !is_other_rank)) return;
  } else if (!is_other_size && !is_other_rank) {
    return;
  }
  std::vector<std::string> names;
  for (const Launcher* const of : {&launcher, &other}) {
    for (const Names* const numbers : {&of->rank, &of->size}) {
      if (!numbers->empty()) names.push_back(name_of(variables, *numbers));
    }
  }
  const auto with = [&](const Launcher& kept) {
    return std::string("with ") + kept.name + " and " + without(found, &kept);
  };
  throw InputError(std::string("the environment has variables of both ") + launcher.name + " and " +
                       other.name + ", which contradict each other",
                   describe(variables, names),
                   "start it " + (size ? with(other) + ", or " : "") + with(launcher));
}

// The number of the nearest ancestor that is no rank: the launcher's process on this machine, also
// where a shell of its own starts each rank. "" where none can be seen.
std::string starter() {
  const auto is_rank = [](const std::string& folder) {
    const std::string variables = '\0' + read_file(folder + "/environ");
    return std::ranges::any_of(kLaunchers, [&](const Launcher& launcher) {
      if (std::ranges::count(launcher.job, std::string_view(kStarter)) == 0) return false;
      const std::string rank = '\0' + std::string(*launcher.rank.begin()) + '=';
      return variables.find(rank) != std::string::npos;
    });
  };
  std::string process = std::to_string(getppid());
  try {
    while (process != "0" && is_rank("/proc/" + process)) {
      // The parent is the second field behind the name in parentheses.
      const std::string status = read_file("/proc/" + process + "/stat");
      std::istringstream fields(status.substr(status.rfind(')') + 1));
      std::string state;
      fields >> state >> process;
    }
  } catch (const Error&) {  // another user's
  }
  return process == "0" ? "" : process;
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
  std::vector<const Launcher*> found;
  for (const Launcher& launcher : kLaunchers) {
    if (!variables(name_of(variables, launcher.signs).c_str()).empty()) found.push_back(&launcher);
  }
  if (found.empty()) return {};
  const Launcher& launcher = *found.front();
  const Reader reader(launcher, variables);
  Launch launch = reader.place();
  for (const Launcher* const other : std::span(found).subspan(1)) {
    require_agreement(launch, found, *other, variables);
  }
  if (launch.size == 1) return launch;
  reader.add_meeting(launch);
  launch.has_store = launcher.names_all && variables("TORCHELASTIC_USE_AGENT_STORE") == "True";
  return launch;
}

Launch read_launch() {
  return read_launch([](const char* name) {
    return std::string_view(name) == kStarter ? starter() : environment(name);
  });
}

}  // namespace rubric::distributed
