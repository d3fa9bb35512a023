// Reads this process's rank and the number of ranks from the environment of its launcher: torchrun,
// srun, mpirun, mpiexec and others (docs/distributed.md has the table).
#pragma once

#include <functional>
#include <string>

namespace rubric::distributed {

struct Launch {
  int rank = 0, size = 1;   // among all processes of the run
  int local_rank = 0;       // among the processes of this machine
  std::string master = {};  // the host where the ranks connect; empty for one process
  int port = 0;             // on `master`
  bool has_store = false;   // the launcher (torchrun), not rank 0, holds the store
  std::string id = {};      // of this start of this job: other jobs may use the same host and port
};

// Returns the value of a variable, "" when it is not set.
using Variables = std::function<std::string(const char* name)>;

// Reads the variables of the first launcher that set some; without any the launch is one process,
// as it is in a Slurm job's own shell (sbatch, salloc). MASTER_ADDR and MASTER_PORT override what
// others than torchrun say; "STARTER" is the number of the launcher's process on this machine.
// Throws InputError, listing what was found, where variables are missing, give a rank without a
// size, or contradict each other or another launcher's.
Launch read_launch(const Variables& variables);
Launch read_launch();  // from this process's environment

// Returns the first host of a Slurm node list: "node03" for "node[03-05,7],gpu1". Throws InputError
// when it cannot be parsed.
std::string first_host(const std::string& node_list);

}  // namespace rubric::distributed
