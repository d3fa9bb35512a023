// Trains LERC on human judgements, prints each validation, and scores an answer with the model.
//
//   train_on_judgements PREFIX/share/rubric train.jsonl dev.jsonl run
//
// train.jsonl and dev.jsonl: `rubric split --input samples/own/judgements.csv --field score=rating
// --shares train=0.6,dev=0.4 --output FOLDER`.
#include <iostream>

#include <rubric/neural.h>
#include <rubric/training.h>

namespace {

class PrintsLosses : public rubric::Observer {
 public:
  void metric_value(const std::string& name, double value, int64_t step) override {
    std::cerr << "step " << step << ": " << name << " " << value << "\n";
  }
};

}  // namespace

int main(int, char** argv) try {
  PrintsLosses observer;
  rubric::Context context{.observer = &observer};
  context.resources.shipped = argv[1];  // holds configs/own.yaml and the model it starts from

  rubric::TrainRequest request;
  request.configuration = {.file = "own.yaml",
                           .overrides = {"data.train=" + std::string(argv[2]),
                                         "data.dev=" + std::string(argv[3]), "run.epochs=3"}};
  request.output = argv[4];
  const rubric::TrainResult trained = rubric::train_model(request, context);
  for (const rubric::ValidationPoint& point : trained.validations) {
    std::cout << "epoch " << point.epoch << ": r on dev " << point.value.value_or(0)
              << (point.is_best ? " (best)\n" : "\n");
  }
  std::cout << print(trained.report, rubric::OutputFormat::text);

  const auto lerc = rubric::make_metric_with_model("lerc", trained.model, {}, context);
  const std::vector<rubric::Answer> row = {{.question = "When does the library close?",
                                            .candidate = "at half past five",
                                            .references = {"at 5:30 pm"}}};
  std::cout << "score: " << lerc->score(row).rows[0][0] << "\n";
} catch (const rubric::InputError& error) {
  std::cerr << error.what() << "\n";
  return rubric::kBadInput;
}
