#include "data/answers/usual_names.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/system/log.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/rows/list_cell.h"

namespace rubric::data {
namespace {

// When a name is taken.
enum class When : uint8_t {
  always,            // beside our own name it is an error, unless both hold the same
  last,              // where no other name is found
  beside_reference,  // the same, where the reference is found
  beside_candidate,
  without_source,  // as `always`, and as `last` in rows with a source, whose target it is
};

struct UsualName {
  std::string_view ours, theirs;  // theirs: a name in snake_case, or a path
  When when = When::always;
};

constexpr std::string_view kLabel = "score";  // our name of a label

// As data sets of Hugging Face, lm-evaluation-harness, sacreBLEU, Inspect, promptfoo, HELM,
// DeepEval, Ragas and SQuAD's rows call them.
constexpr UsualName kUsualNames[] = {
    {"candidate", "prediction"},
    {"candidate", "predictions"},
    {"candidate", "predicted"},
    {"candidate", "pred"},
    {"candidate", "prediction_text"},
    {"candidate", "predicted_text"},
    {"candidate", "predicted_answer"},
    {"candidate", "response"},
    {"candidate", "hypothesis"},
    {"candidate", "hyp"},
    {"candidate", "mt"},
    {"candidate", "actual_output"},
    {"candidate", "model_answer"},
    {"candidate", "model_output"},
    {"candidate", "model_response"},
    {"candidate", "generated_text"},
    {"candidate", "filtered_resps"},
    {"candidate", "filtered_resps.0"},
    {"candidate", "output.completion"},
    {"candidate", "response.output"},
    {"candidate", "result.completions.0.text"},
    {"candidate", "answer", When::beside_reference},
    {"reference", "references"},
    {"reference", "ref"},
    {"reference", "target", When::without_source},
    {"reference", "gold"},
    {"reference", "golden_answer"},
    {"reference", "golden_answers"},
    {"reference", "gold_answer"},
    {"reference", "gold_answers"},
    {"reference", "ground_truth"},
    {"reference", "ground_truths"},
    {"reference", "reference_answer"},
    {"reference", "correct_answer"},
    {"reference", "correct_answers"},
    {"reference", "expected"},
    {"reference", "expected_output"},
    {"reference", "expected_answer"},
    {"reference", "answers"},
    {"reference", "answers.text"},
    {"reference", "answer", When::beside_candidate},
    {"reference", "label", When::last},
    {"reference", "labels", When::last},
    {"passage", "context"},
    {"passage", "article"},
    {"passage", "doc.context"},
    {"passage", "doc.passage"},
    {"question", "user_input"},
    {"question", "doc.question"},
    {"question", "query", When::last},
    {"question", "input", When::last},
    {"question", "instance.input.text", When::last},
    {"id", "qid", When::last},
    {"id", "question_id", When::last},
    {"id", "instance.id", When::last},
    {kLabel, "label", When::last},
    {kLabel, "labels", When::last},
    {kLabel, "human_score", When::last},
};

// In the order of the search: a label is searched for last, since a reference may have its name.
constexpr std::string_view kOurs[] = {"candidate", "reference", "passage",
                                      "question",  "id",        "score"};

// "Model Answer", "model-answer" and "modelAnswer" are "model_answer".
std::string plain(std::string_view name) {
  std::string letters = ascii_lower(name);
  std::erase_if(letters, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return letters;
}

// What a field holds in the first rows.
struct Content {
  bool has_text = false, has_blank = false, has_number = false, has_list = false, has_other = false;
  bool has_only_labels = true;  // numbers, true and false, and words for them

  bool is_text() const { return has_text || (has_blank && !has_number && !has_list); }
};

void add_content(const Json& value, Content& content) {
  if (value.is_null()) return;
  if (value.is_string() && trim(value.string()).empty()) {
    content.has_blank = true;
    return;
  }
  content.has_only_labels &= is_value(value);
  if (value.is_string()) {
    (parse_cell(value.string()) ? content.has_number : content.has_text) = true;
  } else if (value.is_number() || value.is_bool()) {
    content.has_number = true;
  } else if (value.is_array()) {
    const auto is_text = [](const Json& item) { return item.is_string(); };
    const auto is_scalar = [](const Json& item) {
      return item.is_string() || item.is_number() || item.is_bool();
    };
    (std::ranges::all_of(value.array(), is_scalar) ? content.has_list : content.has_other) = true;
    content.has_text |= std::ranges::any_of(value.array(), is_text);
  } else {
    content.has_other = true;
  }
}

Content content_of(std::span<const Json> rows, const std::string& field) {
  Content content;
  for (const Json& row : rows) {
    if (const auto value = find_field(row, field)) add_content(*value, content);
  }
  return content;
}

// Whether a field of this content can be ours, under a name that is taken so.
bool fits(std::string_view ours, When when, const Content& content) {
  if (content.has_other) return false;
  if (ours == "reference") return when != When::last || content.is_text();  // else it is a label
  if (content.has_list) return false;
  if (ours != kLabel) return true;
  return content.has_only_labels && (content.has_number || content.has_text);
}

// The texts of a value, by which two fields are compared; a cell may hold a list.
std::vector<std::string> texts_of(const Json& value) {
  std::vector<std::string> texts;
  const auto add = [&](const Json& item) {
    if (item.is_string()) texts.push_back(item.string());
    if (item.is_number()) texts.push_back(item.number_text());
  };
  if (value.is_string()) {
    try {
      if (const auto items = parse_list_cell(value.string(), "")) return *items;
    } catch (const InputError&) {
      // a text that only looks like a list
    }
  }
  if (value.is_array()) {
    std::ranges::for_each(value.array(), add);
  } else {
    add(value);
  }
  return texts;
}

// Whether two fields hold the same, and not empty texts alone.
bool are_equal(std::span<const Json> rows, const std::string& one, const std::string& other) {
  bool has_text = false, has_empty = false;
  for (const Json& row : rows) {
    const auto first = find_field(row, one), second = find_field(row, other);
    const std::vector<std::string> texts = first ? texts_of(*first) : std::vector<std::string>();
    if (texts != (second ? texts_of(*second) : std::vector<std::string>())) return false;
    for (const std::string& text : texts) (text.empty() ? has_empty : has_text) = true;
  }
  return has_text || !has_empty;
}

// Finds what the rows call our fields.
class Names {
 public:
  Names(std::span<const Json> rows, FieldNames names, const std::string& where)
      : rows_(rows), names_(std::move(names)), where_(where) {
    for (const auto& given : names_) found_.insert(given.first);
    for (const Json& row : rows_) {
      for (const auto& member : row.object()) {
        if (seen_.insert(member.first).second)
          members_[plain(member.first)].push_back(member.first);
      }
    }
  }

  // Looks for our field under our name and under the names that are taken so, unless it is found.
  void find(std::string_view ours, When when) {
    if (has(ours)) return;
    std::vector<std::string> fields;
    if (when == When::always) fields = spelled(ours, ours, when);
    for (const UsualName& name : kUsualNames) add(ours, name, when, fields);
    take(ours, std::move(fields));
  }

  bool has(std::string_view ours) const { return found_.contains(std::string(ours)); }

  FieldNames take_all() && { return std::move(names_); }

 private:
  // The file's fields of that name, or path, that can be ours.
  std::vector<std::string> spelled(std::string_view ours, std::string_view name, When when) const {
    std::vector<std::string> fields;
    if (name.find('.') == name.npos) {
      const auto members = members_.find(plain(name));
      if (members != members_.end()) fields = members->second;
    } else if (std::ranges::any_of(rows_, [&](const Json& row) {
                 return find_field(row, std::string(name)) != nullptr;
               })) {
      fields.emplace_back(name);
    }
    std::erase_if(fields, [&](const std::string& field) {
      return !fits(ours, when, content_of(rows_, field));
    });
    return fields;
  }

  When when_of(const UsualName& name) const {
    if (name.when != When::without_source) return name.when;
    return members_.contains("source") ? When::last : When::always;
  }

  void add(std::string_view ours, const UsualName& name, When when,
           std::vector<std::string>& found) const {
    if (name.ours != ours || when_of(name) != when) return;
    for (std::string& field : spelled(ours, name.theirs, when)) {
      const bool is_same = std::ranges::any_of(
          found, [&](const std::string& other) { return are_equal(rows_, other, field); });
      if (!is_same) found.push_back(std::move(field));
    }
  }

  void take(std::string_view ours, std::vector<std::string> found) {
    const auto has_texts = [&](const std::string& field) {
      const Content content = content_of(rows_, field);
      return content.is_text() || content.has_list;
    };
    // A number beside a text is another thing, such as a score.
    if (ours != kLabel && std::ranges::count_if(found, has_texts) == 1) {
      std::erase_if(found, [&](const std::string& field) { return !has_texts(field); });
    }
    if (found.empty()) return;
    const std::string name(ours);
    found_.insert(name);
    if (found.size() == 1) {
      if (found.front() != name) names_[name] = found.front();
      return;
    }
    std::vector<std::string> options;
    for (const std::string& field : found) options.push_back("--field " + name + "=" + field);
    throw InputError("the " + name + " may be any of the fields " + join(found), where_,
                     "name it: " + join(options, "\n        or "));
  }

  std::span<const Json> rows_;
  FieldNames names_;
  const std::string& where_;
  std::set<std::string> found_, seen_;  // ours that are found; the rows' members
  std::map<std::string, std::vector<std::string>> members_;  // by plain name
};

}  // namespace

bool is_text_field(const std::string& name) {
  const std::string letters = plain(name);
  if (letters == "candidate1" || letters == "candidate2") return true;
  return std::ranges::any_of(kUsualNames, [&](const UsualName& usual) {
    const bool may_be_label = usual.theirs == "label" || usual.theirs == "labels";
    return usual.ours != kLabel && !may_be_label &&
           (letters == usual.ours || letters == plain(usual.theirs));
  });
}

IsTextColumn text_columns(const FieldNames& names) {
  return [names](const std::string& column) {
    return is_text_field(column) || std::ranges::any_of(names, [&](const auto& name) {
             return name.second == column && is_text_field(name.first);
           });
  };
}

FieldNames usual_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                       bool reads_label) {
  if (rows.empty()) return names;
  const bool is_pair = is_row_pair(rows.front(), names);
  Names found(rows, std::move(names), where);
  if (!is_pair) found.find("candidate", When::always);
  for (const std::string_view ours : kOurs) {
    if (ours != "candidate" && ours != kLabel) found.find(ours, When::always);
  }
  // "answer" is what is missing of candidate and reference.
  if (!is_pair && found.has("reference")) found.find("candidate", When::beside_reference);
  if (!is_pair && found.has("candidate")) found.find("reference", When::beside_candidate);
  for (const std::string_view ours : kOurs) {
    if (ours != kLabel) found.find(ours, When::last);
  }
  if (reads_label) found.find(kLabel, When::always);
  if (reads_label && found.has("reference")) found.find(kLabel, When::last);
  return std::move(found).take_all();
}

FieldNames complete_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                          bool reads_label) {
  const FieldNames given = names;
  names = usual_names(rows, std::move(names), where, reads_label);
  std::vector<std::string> told, numbers;
  for (const auto& [ours, theirs] : names) {
    if (!given.contains(ours)) told.push_back(ours + " is " + json_quote(theirs));
  }
  for (const char* const ours : {"candidate", "reference"}) {
    const std::string field = field_name(names, ours);
    const bool has_numbers = std::ranges::any_of(rows, [&](const Json& row) {
      const auto value = find_field(row, field);
      return value && (value->is_number() || value->is_bool());
    });
    if (has_numbers) numbers.push_back(json_quote(field));
  }
  if (!told.empty()) log_info("fields: " + join(told));
  if (!numbers.empty()) {
    log_info("numbers, and true and false, are read as texts in " + join(numbers, " and "));
  }
  return names;
}

FieldNames complete_names(const Json& row, FieldNames names, const std::string& where) {
  return complete_names(std::span(&row, 1), std::move(names), where);
}

std::string usual_names_page() {
  const auto names = [](std::string_view ours, When when) {
    std::string list;
    for (const UsualName& name : kUsualNames) {
      const bool is_listed =
          name.when == when || (when == When::always && name.when == When::without_source);
      if (name.ours != ours || !is_listed) continue;
      list += (list.empty() ? "`" : ", `") + std::string(name.theirs) + "`";
    }
    return list;
  };
  std::string page = "| ours | also found as | where no other name is found |\n|---|---|---|\n";
  for (const std::string_view ours : kOurs) {
    std::string last = names(ours, When::last);
    for (const auto& [when, beside] :
         {std::pair(When::beside_reference, "reference"), {When::beside_candidate, "candidate"}}) {
      const std::string list = names(ours, when);
      if (list.empty()) continue;
      last += (last.empty() ? "" : ", ") + list + " beside a " + beside;
    }
    page += "| `" + std::string(ours) + "` | " + names(ours, When::always) + " | " + last + " |\n";
  }
  return page;
}

}  // namespace rubric::data
