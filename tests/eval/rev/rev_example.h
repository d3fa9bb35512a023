// Rationales as the tests of the REV suite want them.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "eval/rev/rev.h"

namespace rubric {

// A row with the choices a, b and c.
inline data::ScoredRationale scored_rationale(const std::string& id, const std::string& label,
                                              const std::string& gold, const std::string& sim_x,
                                              const std::string& sim_r, const std::string& sim_xr,
                                              double rev) {
  data::ScoredRationale row;
  row.id = id;
  row.question = "what of " + id + "?";
  row.choices = {"a", "b", "c"};
  row.label = label;
  row.gold = gold;
  row.rationale = "because " + id;
  row.where = "rows.jsonl, id \"" + id + "\"";
  row.rev = rev;
  row.sim_x = sim_x;
  row.sim_r = sim_r;
  row.sim_xr = sim_xr;
  return row;
}

// Five rows; the fifth's label is wrong.
//          leaks  1(xr = label) - 1(x = label)  1(xr = gold) - 1(x = gold)   REV
//   1      yes    1 - 0 =  1                    1                            0.5
//   2      yes    1 - 1 =  0                    0                            0.25
//   3      yes    0 - 1 = -1                    -1                          -0.5
//   4      no     1 - 0 =  1                    1                            1
//   5      no     1 - 0 =  1                    0 - 1 = -1                   0
// LAS: (0/3 + 2/2) / 2 = 0.5; RQ: (1 + 0 - 1 + 1 - 1) / 5 = 0; REV: 1.25 / 5 = 0.25.
inline std::vector<data::ScoredRationale> five_rationales() {
  return {scored_rationale("1", "a", "a", "b", "a", "a", 0.5),
          scored_rationale("2", "b", "b", "b", "b", "b", 0.25),
          scored_rationale("3", "c", "c", "c", "c", "a", -0.5),
          scored_rationale("4", "a", "a", "c", "b", "a", 1),
          scored_rationale("5", "b", "c", "c", "a", "b", 0)};
}

}  // namespace rubric
