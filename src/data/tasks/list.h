// Every training task. No libtorch.
#pragma once

#include <string_view>

#include "core/list.h"
#include "data/tasks/choice_kind.h"
#include "data/tasks/kind.h"
#include "data/tasks/lerc_kind.h"
#include "data/tasks/seq2seq_kind.h"

namespace rubric::data {

// A new task is a line here, and files of its own.
inline constexpr const TaskKind* kTasks[] = {
    &kLercTask,
    &kSimilarityTask,
    &kChoiceTask,
    &kSeq2SeqTask,
};
static_assert(have_unique_names(kTasks));

// The task called `name`. Throws InputError with the nearest name.
inline const TaskKind& require_task(std::string_view name) {
  return require<TaskKind>(kTasks, name, "task");
}

}  // namespace rubric::data
