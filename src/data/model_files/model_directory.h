// Where models live on this machine.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace rubric {

// The folder of the model `name`: as a path, under $RUBRIC_MODELS (models/ when that is unset or
// empty, where scripts/download puts it), or in the Hugging Face cache
// ($HF_HOME/hub/models--…/snapshots/…). Nothing is downloaded: the InputError says where was looked
// and which command fetches it, or, for what can only be a path, that it is to be corrected.
std::filesystem::path find_model(const std::string& name);

// The configuration and the tokenizer's files that a model's folder has beside its weights: what a
// model trained from it depends on, and needs too. Throws InputError where one cannot be looked at.
std::vector<std::filesystem::path> files_beside_weights(const std::filesystem::path& directory);

// All that a model's scores depend on, by name: files_beside_weights(), our own rubric.yaml, the
// weights and their index. Of weights in both forms those as safetensors, which are the ones read.
std::vector<std::filesystem::path> model_files(const std::filesystem::path& directory);

}  // namespace rubric
