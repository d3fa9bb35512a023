#include "train/checkpoints/checkpoints.h"

#include <algorithm>

#include "core/error.h"

namespace rubric {
namespace {

ValidationPoint point_from(const Json& json, const std::string& where) {
  ValidationPoint point;
  point.step = json.require_integer("step", where);
  point.epoch = json.require_integer("epoch", where);
  point.train_loss = json.require_number("train_loss", where);
  if (!json.require("value", where).is_null()) point.figure = json.require_number("value", where);
  const Json& best = json.require("best", where);
  if (!best.is_bool()) throw InputError("\"best\" must be true or false", where);
  point.is_best = best.boolean();
  return point;
}

}  // namespace

const ValidationPoint* best_validation(const TrainState& state) {
  const auto best = std::find_if(state.validations.rbegin(), state.validations.rend(),
                                 [](const ValidationPoint& point) { return point.is_best; });
  return best == state.validations.rend() ? nullptr : &*best;
}

Json to_json(const ValidationPoint& point) {
  Json json;
  json["step"] = point.step;
  json["epoch"] = point.epoch;
  json["train_loss"] = point.train_loss;
  json["value"] = point.figure ? Json(*point.figure) : Json();
  json["best"] = point.is_best;
  return json;
}

Json to_json(const TrainState& state) {
  Json json;
  json["step"] = state.step;
  json["loss_sum"] = state.loss_sum;
  json["loss_steps"] = state.loss_steps;
  Json& validations = json["validations"] = Json::Array();
  for (const ValidationPoint& point : state.validations) {
    validations.array().push_back(to_json(point));
  }
  return json;
}

TrainState state_from(const Json& json, const std::string& where) {
  TrainState state;
  state.step = json.require_integer("step", where);
  state.loss_sum = json.require_number("loss_sum", where);
  state.loss_steps = json.require_integer("loss_steps", where);
  const Json& validations = json.require("validations", where);
  if (state.step < 0 || state.loss_steps < 0 || !validations.is_array()) {
    throw InputError("not the state of a run", where);
  }
  for (const Json& entry : validations.array()) {
    state.validations.push_back(point_from(entry, where));
  }
  return state;
}

}  // namespace rubric
