#include "data/tasks/list.h"

#include <gtest/gtest.h>

#include "config/printer.h"
#include "data/model_files/model_directory.h"
#include "data/tokens/tokenized_answers.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::tasks_list_test {

TEST(TaskList, AModelsCardNamesAnyOfThem) {
  const TemporaryFolder folder;
  for (const TaskKind* const task : kTasks) {
    ModelCard card;
    card.task = task->name;
    const std::string text = config::print_config(card);
    EXPECT_EQ(holds(text, "\nseq2seq:"), task->writes_texts) << text;
    folder.write("rubric.yaml", text);
    EXPECT_EQ(read_model_card(folder.path()).task, task->name);
    if (task->writes_texts) {
      EXPECT_EQ(pair_config_of(folder.path()).max_source, card.seq2seq.max_source);
    } else {
      expect_contains(input_error([&] { pair_config_of(folder.path()); }),
                      "trained for " + card.task + ", not to write texts");
    }
  }
}

TEST(TaskList, ATasksOwnFieldsMakeItsTemplate) {
  for (const TaskKind* const task : kTasks) {
    if (task->inputs.empty()) continue;
    const std::vector<std::string> inputs(task->inputs.begin(), task->inputs.end());
    const std::string name(task->name);
    EXPECT_EQ(template_of(name, inputs, 64, "candidate", "here").inputs, inputs);
    expect_contains(input_error([&] { template_of(name, {"passage"}, 64, "passage", "here"); }),
                    "the task " + name + " reads ");
  }
}

TEST(TaskList, OtherNamesAreRefusedWithTheNearest) {
  expect_contains(input_error([] { require_task("lerk"); }), "did you mean lerc?");
}

}  // namespace rubric::data::tasks_list_test
