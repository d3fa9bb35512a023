#include "distributed/launch.h"

#include <map>

#include <gtest/gtest.h>

#include "core/json/json.h"
#include "messages.h"
#include "paths.h"

namespace rubric::distributed::launch_test {

using Values = std::map<std::string, std::string>;

Launch launch_of(const Values& values) {
  return read_launch([&](const char* name) {
    const auto found = values.find(name);
    return found == values.end() ? std::string() : found->second;
  });
}

Values with(Values values, const Values& more) {
  for (const auto& [name, value] : more) values[name] = value;
  return values;
}

// The variables that it sets; STARTER stands for the number of the launcher's process.
Values launcher(const std::string& name) {
  static const Json all =
      Json::parse_file(std::string(source_folder()) + "/tests/distributed/launchers.json");
  Values values;
  for (const auto& [variable, value] : all.require(name, "").object())
    values[variable] = value.string();
  return values;
}

const Values kTorchrun = launcher("torchrun");
const Values kSrun = launcher("srun");
const Values kMpirun = launcher("mpirun of Open MPI");
const Values kMpich = launcher("mpiexec of MPICH 5");
const Values kIntelMpi = launcher("mpiexec of Intel MPI 2021");
const Values kPals = launcher("Cray PALS");
const Values kMvapich = launcher("MVAPICH 2");
const Values kJsrun = launcher("jsrun");
const Values kFlux = launcher("flux");
const Values kHorovodrun = launcher("horovodrun");
const Values kPoe = launcher("poe");
const Values kMvapich1 = launcher("MVAPICH 1");

void expect_refused(const Values& values, const std::vector<std::string>& parts) {
  expect_says(input_error([&] { launch_of(values); }), parts);
}

TEST(Launch, NoVariablesMeanOneProcess) {
  for (const Values& values : {Values{}, Values{{"MASTER_ADDR", "node3"}, {"LOCAL_RANK", "3"}}}) {
    const Launch launch = launch_of(values);
    EXPECT_EQ(launch.size, 1);
    EXPECT_EQ(launch.rank, 0);
    EXPECT_EQ(launch.master, "");
  }
}

TEST(Launch, TorchrunGoesFirst) {
  const Launch launch = launch_of(with(with(kSrun, kMpirun), kTorchrun));
  EXPECT_EQ(launch.rank, 5);
  EXPECT_EQ(launch.size, 8);
  EXPECT_EQ(launch.local_rank, 1);
  EXPECT_EQ(launch.master, "node3");
  EXPECT_EQ(launch.port, 29500);
  EXPECT_FALSE(launch.has_store);
}

TEST(Launch, TorchrunMayWaitAtThePortItself) {
  EXPECT_TRUE(launch_of(with(kTorchrun, {{"TORCHELASTIC_USE_AGENT_STORE", "True"}})).has_store);
}

// A rank that is left over from another start must not meet those of this one.
TEST(Launch, EachStartOfAJobHasAnId) {
  const auto expect_own = [](const Values& launcher, std::initializer_list<const char*> names) {
    const std::string id = launch_of(launcher).id;
    for (const char* name : names) {
      EXPECT_NE(launch_of(with(launcher, {{name, "another"}})).id, id) << name;
    }
  };
  expect_own(kTorchrun, {"TORCHELASTIC_RUN_ID", "TORCHELASTIC_RESTART_COUNT"});
  expect_own(kSrun, {"SLURM_JOB_ID", "SLURM_STEP_ID", "SLURM_RESTART_COUNT"});
  expect_own(kMpirun, {"PMIX_NAMESPACE"});
  EXPECT_EQ(launch_of(with(kSrun, {{"SLURM_PROCID", "0"}})).id, launch_of(kSrun).id);
}

TEST(Launch, SrunAndMpirunMustNotContradictEachOther) {
  const Values inside = with(kMpirun, kSrun);  // mpirun in a shell that srun started, say
  expect_refused(inside, {"contradict", "SLURM_PROCID=3", "SLURM_STEP_NUM_TASKS=4",
                          "OMPI_COMM_WORLD_RANK=1", "OMPI_COMM_WORLD_SIZE=2", "env -u"});
  EXPECT_EQ(launch_of(with(inside, {{"SLURM_STEP_NUM_TASKS", ""}})).size, 2);
  EXPECT_EQ(
      launch_of(with(inside, {{"OMPI_COMM_WORLD_RANK", ""}, {"OMPI_COMM_WORLD_SIZE", ""}})).size,
      4);
}

TEST(Launch, SrunNamesTheFirstNodeOfItsStep) {
  const Launch launch = launch_of(kSrun);
  EXPECT_EQ(launch.rank, 3);
  EXPECT_EQ(launch.size, 4);
  EXPECT_EQ(launch.local_rank, 1);
  EXPECT_EQ(launch.master, "n08");  // the step's first node, not the job's
  Values own_port = with(kSrun, {{"MASTER_ADDR", "n1"}, {"MASTER_PORT", "1234"}});
  EXPECT_EQ(launch_of(own_port).master, "n1");
  EXPECT_EQ(launch_of(own_port).port, 1234);
}

TEST(Launch, StepsOfSlurmHavePortsOfTheirOwn) {
  const int port = launch_of(kSrun).port;
  EXPECT_GE(port, 10000);
  EXPECT_LT(port, 30000);
  EXPECT_EQ(launch_of(with(kSrun, {{"SLURM_PROCID", "0"}, {"SLURM_LOCALID", "0"}})).port, port);
  EXPECT_NE(launch_of(with(kSrun, {{"SLURM_JOB_ID", "4712"}})).port, port);
  EXPECT_NE(launch_of(with(kSrun, {{"SLURM_STEP_ID", "1"}})).port, port);
}

TEST(Launch, AShellOfASlurmJobIsOneProcess) {
  Values batch = kSrun;  // sbatch sets the others, too
  for (const char* of_step : {"SLURM_STEP_ID", "SLURM_STEP_NUM_TASKS", "SLURM_STEP_NODELIST"}) {
    batch.erase(of_step);
  }
  EXPECT_EQ(launch_of(batch).size, 1);
  // salloc's interactive step keeps the tasks of its job and has one of its own.
  EXPECT_EQ(launch_of(with(kSrun, {{"SLURM_PROCID", "0"},
                                   {"SLURM_LOCALID", "0"},
                                   {"SLURM_STEP_ID", "4294967290"},
                                   {"SLURM_STEP_NUM_TASKS", "1"}}))
                .size,
            1);
}

TEST(Launch, MpirunOfOneMachineNeedsNoMaster) {
  const Launch launch = launch_of(kMpirun);
  EXPECT_EQ(launch.rank, 1);
  EXPECT_EQ(launch.size, 2);
  EXPECT_EQ(launch.master, "127.0.0.1");
  EXPECT_NE(launch_of(with(kMpirun, {{"PMIX_NAMESPACE", "another"}})).port, launch.port);
  const Values two_machines =
      with(kMpirun, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}, {"OMPI_COMM_WORLD_LOCAL_RANK", "0"}});
  expect_refused(two_machines, {"MASTER_ADDR names the one of rank 0", "MASTER_ADDR is not set",
                                "OMPI_COMM_WORLD_SIZE=2"});
  EXPECT_EQ(launch_of(with(two_machines, {{"MASTER_ADDR", "n1"}})).master, "n1");
  expect_refused(with(kMpirun, {{"PMIX_NAMESPACE", ""}}), {"MASTER_PORT is not set"});
}

TEST(Launch, PmiOfOneMachineNeedsNoMaster) {
  for (const Values& launcher : {kMpich, kIntelMpi, kPals, kMvapich}) {
    const Launch launch = launch_of(launcher);
    EXPECT_EQ(launch.rank, 1);
    EXPECT_EQ(launch.size, 4);
    EXPECT_EQ(launch.local_rank, 1);
    EXPECT_EQ(launch.master, "127.0.0.1");
    EXPECT_GE(launch.port, 10000);
    EXPECT_LT(launch.port, 30000);
    const Launch own = launch_of(with(launcher, {{"MASTER_ADDR", "n1"}, {"MASTER_PORT", "1234"}}));
    EXPECT_EQ(own.master, "n1");
    EXPECT_EQ(own.port, 1234);
  }
  // gforker's processes are on one machine, and it says nothing of that.
  const Values gforker = {{"PMI_RANK", "2"}, {"PMI_SIZE", "4"}, {"STARTER", "777"}};
  EXPECT_EQ(launch_of(gforker).local_rank, 2);
  EXPECT_EQ(launch_of(gforker).port, launch_of(with(gforker, {{"PMI_RANK", "0"}})).port);
  const std::string refusal = input_error([&] { launch_of(with(gforker, {{"PMI_RANK", "9"}})); });
  expect_contains(refusal, "PMI_RANK=9");
  EXPECT_EQ(refusal.find("STARTER"), std::string::npos) << refusal;
}

// What all ranks of a start have alike, and another start has not.
TEST(Launch, PmisPortIsOfTheJob) {
  for (const auto& [launcher, job] : {std::pair(kMpich, "STARTER"),
                                      {kIntelMpi, "I_MPI_HYDRA_UUID"},
                                      {kPals, "PALS_APID"},
                                      {kMvapich, "STARTER"}}) {
    EXPECT_NE(launch_of(with(launcher, {{job, "888"}})).port, launch_of(launcher).port) << job;
  }
  expect_refused(with(kMpich, {{"STARTER", ""}}), {"mpiexec", "MASTER_PORT is not set"});
}

TEST(Launch, PmiOfSeveralMachinesNeedsTheAddressOfOne) {
  const Values machines = with(kMpich, {{"MPI_LOCALNRANKS", "2"}});
  expect_refused(machines, {"mpiexec", "MASTER_ADDR names the one of rank 0",
                            "MASTER_ADDR is not set", "PMI_SIZE=4", "MPI_LOCALNRANKS=2"});
  // Each machine has another parent.
  expect_refused(with(machines, {{"MASTER_ADDR", "n1"}}), {"MASTER_PORT is not set"});
  const Launch launch =
      launch_of(with(machines, {{"MASTER_ADDR", "n1"}, {"MASTER_PORT", "29500"}}));
  EXPECT_EQ(launch.master, "n1");
  EXPECT_EQ(launch.port, 29500);
  const Values of_pals = with(kPals, {{"PMI_LOCAL_SIZE", "2"}, {"MASTER_ADDR", "n1"}});
  EXPECT_GE(launch_of(of_pals).port, 10000);  // the job has a name
}

TEST(Launch, AGroupOfOneNeedsNoMoreThanItsSize) {
  for (const Values& one : {Values{{"RANK", "0"}, {"WORLD_SIZE", "1"}}, Values{{"WORLD_SIZE", "1"}},
                            Values{{"SLURM_PROCID", "0"}, {"SLURM_STEP_NUM_TASKS", "1"}},
                            Values{{"SLURM_STEP_NUM_TASKS", "1"}},
                            Values{{"OMPI_COMM_WORLD_RANK", "0"}, {"OMPI_COMM_WORLD_SIZE", "1"}},
                            Values{{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}},
                            Values{{"MV2_COMM_WORLD_RANK", "0"}, {"MV2_COMM_WORLD_SIZE", "1"}}}) {
    const Launch launch = launch_of(one);
    EXPECT_EQ(launch.size, 1);
    EXPECT_EQ(launch.rank, 0);
    EXPECT_EQ(launch.master, "") << one.begin()->first;
  }
  expect_refused({{"RANK", "1"}, {"WORLD_SIZE", "1"}},
                 {"torchrun contradict each other: RANK=1, WORLD_SIZE=1"});
  expect_refused({{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"LOCAL_RANK", "2"}},
                 {"contradict each other: LOCAL_RANK=2, WORLD_SIZE=1"});
  expect_refused({{"RANK", "0"}, {"WORLD_SIZE", "1"}, {"LOCAL_RANK", "first"}}, {"LOCAL_RANK"});
}

TEST(Launch, OtherLaunchersSetARankAndASizeToo) {
  for (const auto& [launcher, rank] : {std::pair(kJsrun, "JSM_NAMESPACE_RANK"),
                                       {kFlux, "FLUX_TASK_RANK"},
                                       {kHorovodrun, "HOROVOD_RANK"},
                                       {kPoe, "MP_CHILD"},
                                       {kMvapich1, "MPIRUN_RANK"}}) {
    const Launch launch = launch_of(launcher);
    EXPECT_EQ(launch.rank, 1) << rank;
    EXPECT_EQ(launch.size, 4);
    EXPECT_EQ(launch.local_rank, 1);
    EXPECT_GE(launch.port, 10000);
    expect_refused(with(launcher, {{rank, "4"}}),
                   {"contradict each other: " + std::string(rank) + "=4"});
  }
  // Nothing says whether these are on one machine.
  for (const Values& launcher : {kFlux, kPoe, kMvapich1}) {
    expect_refused(with(launcher, {{"MASTER_ADDR", ""}}), {"MASTER_ADDR is not set"});
  }
  for (const Values& launcher : {kPoe, kMvapich1}) {
    expect_refused(with(launcher, {{"LOCAL_RANK", ""}}), {"LOCAL_RANK is not set"});
    expect_refused(with(launcher, {{"MASTER_PORT", ""}}), {"MASTER_PORT is not set"});
  }
  // Settings of the shell that starts processes, or of none.
  EXPECT_EQ(launch_of({{"MP_PROCS", "4"}, {"MPIRUN_NPROCS", "4"}}).size, 1);
}

// Else every process would do all of the work.
TEST(Launch, ARankWithoutASizeIsRefused) {
  for (const std::string name : {"PALS_RANKID", "ALPS_APP_PE", "PMIX_RANK", "PMI_ID"}) {
    expect_refused({{name, "3"}},
                   {name + "=3", "no variable gives the number of processes", "env -u " + name});
    EXPECT_EQ(launch_of(with(kMpich, {{name, "1"}})).size, 4) << name;
    // It cannot be started by that launcher, which is refused alone.
    expect_refused(with(kMpich, {{name, "2"}}), {"contradict", "PMI_RANK=1", name + "=2",
                                                 "start it with mpiexec and env -u " + name});
  }
  expect_refused(with(kSrun, {{"PMIX_RANK", "2"}, {"ALPS_APP_PE", "2"}}),
                 {"start it with srun and env -u ALPS_APP_PE -u PMIX_RANK"});
  expect_refused({{"PMI_RANK", "1"}}, {"mpiexec", "PMI_SIZE is not set"});
  expect_refused({{"PMI_SIZE", "2"}}, {"mpiexec", "PMI_RANK is not set"});
}

TEST(Launch, VariablesOfTwoLaunchersMustAgree) {
  // srun --mpi=pmi2 sets both.
  const Values pmi2 = with(kSrun, {{"PMI_RANK", "3"}, {"PMI_SIZE", "4"}, {"PMI_JOBID", "4711.0"}});
  EXPECT_EQ(launch_of(pmi2).master, "n08");
  EXPECT_EQ(launch_of(pmi2).port, launch_of(kSrun).port);
  expect_refused(with(pmi2, {{"PMI_RANK", "2"}}), {"contradict", "SLURM_PROCID=3", "PMI_RANK=2"});
  expect_refused(with(pmi2, {{"PMI_SIZE", "8"}}),
                 {"srun and mpiexec", "SLURM_STEP_NUM_TASKS=4", "PMI_SIZE=8",
                  "env -u SLURM_STEP_NUM_TASKS", "env -u PMI_RANK -u PMI_SIZE"});
  expect_refused(with(kMpirun, kMpich), {"mpirun and mpiexec", "PMI_SIZE=4"});
  expect_refused(with(kMpich, {{"MV2_COMM_WORLD_RANK", "0"}, {"MV2_COMM_WORLD_SIZE", "4"}}),
                 {"contradict", "MV2_COMM_WORLD_RANK=0"});
  expect_refused(with(pmi2, {{"PMI_SIZE", "many"}}),
                 {"mpiexec cannot be read: PMI_SIZE=many is not a"});
}

// torchrun may be started by srun, as one process on each node. A process that is told to be the
// only one must be that.
TEST(Launch, TorchrunMayRunInProcessesOfAnother) {
  const Values one = {{"RANK", "0"}, {"WORLD_SIZE", "1"}};
  expect_refused(with(kMpirun, one), {"torchrun and mpirun", "contradict", "WORLD_SIZE=1",
                                      "OMPI_COMM_WORLD_SIZE=2", "env -u RANK -u WORLD_SIZE"});
  expect_refused(with(kSrun, one), {"contradict", "SLURM_STEP_NUM_TASKS=4"});
  expect_refused(with(kMpich, one), {"contradict", "PMI_SIZE=4"});
  EXPECT_EQ(launch_of(with(one, {{"PMI_RANK", "0"}, {"PMI_SIZE", "1"}})).size, 1);
  // An agent on each of eight nodes numbers its ranks itself; who sets the variables by hand does
  // not.
  const Values same_size = with(kTorchrun, {{"PMI_RANK", "2"}, {"PMI_SIZE", "8"}});
  expect_refused(same_size, {"contradict", "RANK=5", "PMI_RANK=2"});
  EXPECT_EQ(launch_of(with(same_size, {{"TORCHELASTIC_RUN_ID", "x"}})).rank, 5);
  EXPECT_EQ(launch_of(with(same_size, {{"PMI_RANK", "5"}})).rank, 5);
}

// Each launcher's rank, size, local rank and local size.
TEST(Launch, NumbersThatCannotBeAreRefused) {
  struct Case {
    Values variables;
    std::string rank, size, local_rank, local_size;
  };
  for (const auto& [variables, rank, size, local_rank, local_size] :
       {Case{kTorchrun, "RANK", "WORLD_SIZE", "LOCAL_RANK", "LOCAL_WORLD_SIZE"},
        Case{kSrun, "SLURM_PROCID", "SLURM_STEP_NUM_TASKS", "SLURM_LOCALID", ""},
        Case{kMpirun, "OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_LOCAL_RANK",
             "OMPI_COMM_WORLD_LOCAL_SIZE"},
        Case{kMpich, "PMI_RANK", "PMI_SIZE", "MPI_LOCALRANKID", "MPI_LOCALNRANKS"},
        Case{kMvapich, "MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_LOCAL_RANK",
             "MV2_COMM_WORLD_LOCAL_SIZE"}}) {
    for (const char* const wrong : {"two", "-1", "1.5", " 1", "0x1", "99999999999999999999"}) {
      for (const std::string& name : {rank, size, local_rank, local_size}) {
        if (name.empty()) continue;
        expect_refused(with(variables, {{name, wrong}}),
                       {"cannot be read: " + name + "=" + wrong + " is not a whole number"});
      }
    }
    expect_refused(with(variables, {{size, "0"}}), {size + "=0 is not a whole number"});
    expect_refused(with(variables, {{rank, "8"}}),
                   {"contradict each other: " + rank + "=8, " + size});
    expect_refused(with(variables, {{local_rank, "8"}}),
                   {"contradict each other: " + local_rank + "=8, "});
    if (local_size.empty()) continue;
    expect_refused(with(variables, {{local_size, "1"}, {local_rank, "1"}}),
                   {"contradict each other: " + local_rank + "=1, " + local_size + "=1"});
    expect_refused(with(variables, {{local_size, "9"}}),
                   {"contradict each other: " + local_size + "=9, " + size});
  }
}

TEST(Launch, WhatIsNotWholeIsRefusedWithWhatWasFound) {
  for (const auto& [name, value] : kTorchrun) {
    expect_refused(with(kTorchrun, {{name, ""}}), {"torchrun", name + " is not set"});
  }
  expect_refused(with(kTorchrun, {{"WORLD_SIZE", ""}}), {"RANK=5", "WORLD_SIZE is not set"});
  expect_refused({{"WORLD_SIZE", "2"}}, {"WORLD_SIZE=2", "RANK is not set"});
  expect_refused(with(kTorchrun, {{"RANK", "8"}}), {"contradict each other: RANK=8, WORLD_SIZE=8"});
  expect_refused(with(kTorchrun, {{"WORLD_SIZE", "0"}}), {"WORLD_SIZE=0", "from 1"});
  expect_refused(with(kTorchrun, {{"WORLD_SIZE", "99999999999999999999"}}), {"WORLD_SIZE"});
  for (const char* wrong : {"two", "-1", "1.5", " 1"}) {
    expect_refused(with(kTorchrun, {{"RANK", wrong}}),
                   {std::string("RANK=") + wrong + " is not a whole number"});
  }
  for (const char* wrong : {"0", "65536", "http"}) {
    expect_refused(with(kTorchrun, {{"MASTER_PORT", wrong}}), {"MASTER_PORT", "from 1 to 65535"});
  }
  for (const char* name : {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_JOB_ID"}) {
    expect_refused(with(kSrun, {{name, ""}}), {"srun", std::string(name) + " is not set"});
  }
  expect_refused(with(kMpirun, {{"OMPI_COMM_WORLD_RANK", "2"}}), {"mpirun contradict each other"});
}

TEST(Launch, TheFirstHostOfSlurmsList) {
  for (const auto& [list, host] : Values{{"node3", "node3"},
                                         {"node[03-05,7]", "node03"},
                                         {"gpu1,node[3-5]", "gpu1"},
                                         {"n[7,9-10]-ib,x", "n7-ib"},
                                         {"rack[1-2]n[003-004]", "rack1n003"}}) {
    EXPECT_EQ(first_host(list), host) << list;
  }
  for (const char* wrong : {"", ",a", "n[", "n[3-5", "n[]", "n]3[", "n[-3]"}) {
    EXPECT_THROW(first_host(wrong), InputError) << wrong;
  }
}

}  // namespace rubric::distributed::launch_test
