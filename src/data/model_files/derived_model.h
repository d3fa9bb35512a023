// What makes a model directory without training: requests (models/derived_models.h,
// metrics/neural/allennlp_import.h).
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubric::data {

// Files of answers whose questions a model has seen and its directory does not list.
struct SeenFiles {
  std::vector<std::filesystem::path> trained_on, tuned_on;

  void visit_fields(auto& field) {
    field("trained-on", trained_on,
          "answers that the model was trained on, if it does not list their questions "
          "(docs/training.md); may be repeated")
        .input();
    field("tuned-on", tuned_on, "answers that chose it, likewise; may be repeated").input();
  }
};

void visit_made_model(auto& field, std::filesystem::path& output) {
  field("output", output, "the model directory to make").folder().short_as('o').required();
}

struct QuantizeRequest {
  std::string model;
  std::filesystem::path output;
  SeenFiles seen = {};

  void visit_fields(auto& field) {
    field("model", model, "model directory, or name").model().positional().required();
    visit_made_model(field, output);
    seen.visit_fields(field);
  }
};

struct AverageRequest {
  std::vector<std::string> models;
  std::filesystem::path output;
  SeenFiles seen = {};

  void visit_fields(auto& field) {
    field("model", models, "model directories, or names").model().positional().required();
    visit_made_model(field, output);
    seen.visit_fields(field);
  }
};

struct ImportRequest {
  std::string from = "allennlp";
  std::filesystem::path archive, output;

  void visit_fields(auto& field) {
    field("from", from, "whose archive it is: allennlp, comet or alignscore")
        .named("KIND")
        .choices({"allennlp", "comet", "alignscore"})
        .positional()
        .required();
    field("archive", archive, "the archive").input().positional().required();
    visit_made_model(field, output);
  }
};

}  // namespace rubric::data
