#include "cli/data/prepare.h"

#include <filesystem>
#include <iostream>

#include "core/context.h"
#include "core/error.h"
#include "core/system/log.h"
#include "data/tasks/list.h"
#include "train/settings/lerc_data.h"
#include "train/settings/train_setup.h"

namespace rubric::cli {

void prepare_data(const TrainConfiguration& request, const Context& context) {
  const ContextScope scope(context);
  const auto [config, encoder, resume] = train::read_train_setup(request);
  if (!data::require_task(config.task).keeps_token_store) {
    throw InputError("the task " + config.task + " keeps no token store", "task",
                     "run train directly: it tokenises its rows itself");
  }
  if (config.data.store.empty()) {
    throw InputError("there is no token store to prepare", "data.store is empty",
                     "name a folder with --set data.store=DIR");
  }
  const train::LercData data = train::load_lerc_data(config, *text::open_tokenizer(encoder));
  log_info(train::describe(data));
  std::cout << "token store: " << std::filesystem::absolute(config.data.store).string() << "\n";
}

}  // namespace rubric::cli
