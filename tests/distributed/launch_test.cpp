#include "distributed/launch.h"

#include <map>

#include <gtest/gtest.h>

#include "core/error.h"
#include "messages.h"

namespace rubric::distributed {
namespace {

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

const Values kTorchrun = {{"RANK", "5"},
                          {"WORLD_SIZE", "8"},
                          {"LOCAL_RANK", "1"},
                          {"MASTER_ADDR", "node3"},
                          {"MASTER_PORT", "29500"}};
const Values kSrun = {{"SLURM_JOB_ID", "4711"},
                      {"SLURM_STEP_ID", "0"},
                      {"SLURM_PROCID", "3"},
                      {"SLURM_STEP_NUM_TASKS", "4"},
                      {"SLURM_NTASKS", "4"},
                      {"SLURM_LOCALID", "1"},
                      {"SLURM_JOB_NODELIST", "n[1-9]"},
                      {"SLURM_STEP_NODELIST", "n[08-09]"}};
const Values kMpirun = {{"OMPI_COMM_WORLD_RANK", "1"},
                        {"OMPI_COMM_WORLD_SIZE", "2"},
                        {"OMPI_COMM_WORLD_LOCAL_RANK", "1"},
                        {"OMPI_COMM_WORLD_LOCAL_SIZE", "2"},
                        {"PMIX_NAMESPACE", "prterun-node3-12345@1"}};

void expect_refused(const Values& values, const std::vector<std::string>& parts) {
  try {
    launch_of(values);
    ADD_FAILURE() << "not refused: " << parts[0];
  } catch (const InputError& error) {
    for (const std::string& part : parts) expect_contains(error.what(), part);
  }
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
  const Values two_machines = with(kMpirun, {{"OMPI_COMM_WORLD_LOCAL_SIZE", "1"}});
  expect_refused(two_machines, {"MASTER_ADDR names the one of rank 0", "MASTER_ADDR is not set",
                                "OMPI_COMM_WORLD_SIZE=2"});
  EXPECT_EQ(launch_of(with(two_machines, {{"MASTER_ADDR", "n1"}})).master, "n1");
  expect_refused(with(kMpirun, {{"PMIX_NAMESPACE", ""}}), {"MASTER_PORT is not set"});
}

TEST(Launch, WhatIsNotWholeIsRefusedWithWhatWasFound) {
  for (const auto& [name, value] : kTorchrun) {
    expect_refused(with(kTorchrun, {{name, ""}}), {"torchrun", name + " is not set"});
  }
  expect_refused(with(kTorchrun, {{"WORLD_SIZE", ""}}), {"RANK=5", "WORLD_SIZE is not set"});
  expect_refused({{"WORLD_SIZE", "2"}}, {"WORLD_SIZE=2", "RANK is not set"});
  expect_refused(with(kTorchrun, {{"RANK", "8"}}), {"RANK must be below WORLD_SIZE", "RANK=8"});
  expect_refused(with(kTorchrun, {{"WORLD_SIZE", "0"}}), {"WORLD_SIZE=0", "from 1"});
  expect_refused(with(kTorchrun, {{"WORLD_SIZE", "99999999999999999999"}}), {"WORLD_SIZE"});
  for (const char* wrong : {"two", "-1", "1.5", " 1"}) {
    expect_refused(with(kTorchrun, {{"RANK", wrong}}), {"RANK is not a whole number"});
  }
  for (const char* wrong : {"0", "65536", "http"}) {
    expect_refused(with(kTorchrun, {{"MASTER_PORT", wrong}}), {"MASTER_PORT", "from 1 to 65535"});
  }
  for (const char* name : {"SLURM_PROCID", "SLURM_LOCALID", "SLURM_JOB_ID"}) {
    expect_refused(with(kSrun, {{name, ""}}), {"srun", std::string(name) + " is not set"});
  }
  expect_refused(with(kMpirun, {{"OMPI_COMM_WORLD_RANK", "2"}}), {"mpirun", "must be below"});
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

}  // namespace
}  // namespace rubric::distributed
