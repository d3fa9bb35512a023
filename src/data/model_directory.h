// Where models live on this machine.
#pragma once

#include <filesystem>
#include <string>

namespace rubric {

// The folder of the model `name`: as a path, under $RUBRIC_MODELS (models/ when that is unset or
// empty, where scripts/download puts it), or in the Hugging Face cache
// ($HF_HOME/hub/models--…/snapshots/…). Nothing is downloaded: the InputError says where was looked
// and which command fetches it.
std::filesystem::path find_model(const std::string& name);

}  // namespace rubric
