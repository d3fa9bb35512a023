#include "cli/neural/command_ranks.h"

#include <csignal>
#include <filesystem>
#include <memory>

#include <ATen/Parallel.h>
#include <torch/version.h>

#include "core/context.h"
#include "core/error.h"
#include "core/files/files.h"
#include "core/hash.h"
#include "core/system/log.h"
#include "core/system/signals.h"
#include "core/system/terminal.h"
#include "distributed/collective.h"
#include "rubric/version.h"

namespace rubric::cli {

distributed::Ranks join_ranks() {
  const distributed::Launch launch = distributed::read_launch();
  if (launch.rank > 0) set_warnings(false);
  // Where the ranks do not meet, rank 1, too, says where it looks for them.
  set_quiet(is_quiet() || launch.rank > 1);
  const std::shared_ptr<void> when_they_have_met(
      nullptr, [&](void*) { set_quiet(is_quiet() || launch.rank > 0); });
  // Gloo writes to sockets of ranks that may be gone and relies on Python to ignore SIGPIPE.
  if (!launch.master.empty()) std::signal(SIGPIPE, SIG_IGN);
  exit_on_stop_signals();
  return distributed::Ranks(launch);
}

void share_threads(int64_t threads) {
  Context context = current_context();
  if (threads > 0) context.threads = static_cast<size_t>(threads);
  if (context.threads > 0) at::set_num_threads(static_cast<int>(context.threads));
  context.threads = static_cast<size_t>(at::get_num_threads());
  set_program_context(context);
}

void begin_together(const distributed::Ranks& ranks, const std::string& command) {
  catch_stop_signals();
  if (ranks.size() == 1) return;
  const Json facts = distributed::run_on_all_ranks(ranks, [&] {
    Json own;
    own["the program's version"] =
        "rubric " + version_with_build() + " with libtorch " + TORCH_VERSION;
    own["the SHA-256 of the program"] =
        sha256(sha256_file("/proc/self/exe") +
               sha256_file(file_of_code(reinterpret_cast<const void*>(version_with_build))) +
               sha256_file(file_of_code(reinterpret_cast<const void*>(join_ranks))));
    own["the command"] = command;
    return own;
  });
  distributed::require_agreement(ranks, facts);
}

void require_same_input(const distributed::Ranks& ranks, const std::string& file) {
  if (ranks.size() == 1) return;
  const std::string hash = distributed::run_on_all_ranks(ranks, [&] {
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    if (std::filesystem::exists(status) && !std::filesystem::is_regular_file(status)) {
      throw InputError("not a regular file, so several processes cannot each read all of it", file,
                       "name a regular file, or start one process");
    }
    return sha256_file(file);
  });
  Json facts;
  facts["the SHA-256 of --input"] = hash;
  distributed::require_agreement(ranks, facts);
}

}  // namespace rubric::cli
