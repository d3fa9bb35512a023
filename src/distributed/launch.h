// Which of how many processes this is, by the environment of the launcher that started it.
#pragma once

#include <functional>
#include <string>

namespace rubric::distributed {

struct Launch {
  int rank = 0, size = 1;   // among all processes of the run
  int local_rank = 0;       // among those of this machine
  std::string master = {};  // the host where the ranks meet; empty for one process
  int port = 0;             // there
  bool has_store = false;   // the launcher itself waits there, as torchrun does, and not rank 0
  std::string id = {};      // of this start of this job: others may meet at the same place
};

// The value of a variable, "" when it is not set.
using Variables = std::function<std::string(const char* name)>;

// Reads the variables of torchrun, else of Slurm's srun, else of Open MPI's mpirun; none means one
// process. A Slurm job's own shell (sbatch, salloc) is one process, too. MASTER_ADDR and
// MASTER_PORT, where they are set, go before what Slurm and Open MPI say. Throws InputError when
// variables are missing or contradict each other, as those of Slurm and Open MPI may: it says what
// was found.
Launch read_launch(const Variables& variables);
Launch read_launch();  // of this process's environment

// The first host of Slurm's list: "node03" of "node[03-05,7],gpu1". Throws InputError when this is
// no such list.
std::string first_host(const std::string& node_list);

}  // namespace rubric::distributed
