#include "data/answers/usual_names.h"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include "core/error.h"
#include "core/files/embedded.h"
#include "core/system/log.h"
#include "core/system/process.h"
#include "core/text/ascii.h"
#include "data/answers/answer_rows.h"
#include "data/answers/lm_eval.h"
#include "data/rows/list_cell.h"

namespace rubric::data {
namespace {

// When a name is taken.
enum class When : uint8_t {
  always,          // beside another such name it is an error or a note, unless both hold the same
  last,            // where no other name is found
  beside,          // of candidate and reference: the one that has no other name beside the other
  without_source,  // as `always`, and as `last` in rows with a source, whose target it is
};

using Content = FieldContent;

struct UsualName {
  std::string ours, theirs;  // theirs: a name in snake_case, or a path
  When when;
};

constexpr std::string_view kLabel = "score";  // our name of a label

const std::vector<UsualName>& usual_name_table() {
  static const std::vector<UsualName> table = [] {
    std::vector<UsualName> names;
    constexpr std::string_view kWhen[] = {"always", "last", "beside", "without_source"};
    for (const Cells& cells : embedded_rows("data/answers/usual_names.tsv", "names")) {
      const auto when = std::ranges::find(kWhen, cells.at(2)) - kWhen;
      names.push_back({cells[0], cells[1], static_cast<When>(when)});
    }
    return names;
  }();
  return table;
}

// In the order of the search: a label is searched for last, since a reference may have its name.
constexpr std::string_view kOurs[] = {"candidate", "reference", "passage",
                                      "question",  "id",        "score"};

// "Model Answer", "model-answer" and "modelAnswer" are "model_answer".
std::string plain(std::string_view name) {
  std::string letters = ascii_lower(name);
  std::erase_if(letters, [](char c) { return c == '_' || c == '-' || c == ' '; });
  return letters;
}

bool is_container(const Json& value) {
  return value.is_array() || value.is_object();
}

void add_content(const Json& value, Content& content) {
  if (value.is_null()) return;
  ++content.values;
  if (value.is_string() && trim(value.string()).empty()) {
    ++content.blanks;
    return;
  }
  const bool is_label = is_value(value);
  content.labels += is_label ? 1 : 0;
  content.unlabelled += lacks_label(&value) ? 1 : 0;
  if (is_label && value.is_string()) {
    constexpr std::string_view kVerdicts[] = {"correct", "incorrect", "right", "wrong"};
    content.verdicts += std::ranges::count(kVerdicts, ascii_lower(trim(value.string())));
  }
  if (value.is_string()) {
    (parse_cell(value.string()) ? content.has_number : content.has_text) = true;
  } else if (value.is_number() || value.is_bool()) {
    content.has_number = content.has_json_number = true;
  } else if (value.is_array() && std::ranges::none_of(value.array(), is_container)) {
    ++content.lists;
    content.has_text |= std::ranges::any_of(value.array(), &Json::is_string);
  } else {
    const bool is_nested = value.is_array() && value.array().front().is_array();
    ++(is_nested ? content.nested : content.others);
  }
}

// Whether a field of this content can be ours, under a name that is taken so.
bool fits(std::string_view ours, When when, const Content& content, Reads reads) {
  if (content.is_mostly(content.others)) return false;
  if (ours == "candidate") return true;  // a list of one, or row_answer() names its items
  if (content.is_mostly(content.nested)) return false;
  if (ours == "reference" && when != When::last) return true;
  if (ours == "reference") {
    return content.is_text() && !content.is_verdict() &&
           (reads == Reads::texts || !content.is_label());
  }
  if (content.is_mostly(content.lists + content.nested + content.others)) return false;
  return ours != kLabel || content.labels > 0;  // the reader of labels names a cell without one
}

// The texts of a value, by which two fields are compared; a cell may hold a list.
std::vector<std::string> texts_of(const FieldValue& value) {
  if (value == nullptr) return {};
  if (value->is_string()) {
    try {
      if (const auto items = parse_list_cell(value->string(), "")) return *items;
    } catch (const InputError&) {
      // a text that only looks like a list
    }
  }
  return scalar_texts(*value).value_or(std::vector<std::string>());
}

// Finds what the rows call our fields. A field of the file is one of ours at most.
class Names {
 public:
  Names(const FieldEvidence& rows, const std::string& where, Reads reads)
      : rows_(rows), where_(where), reads_(reads), found_{rows.given(), {}} {
    for (const auto& [ours, theirs] : found_.names) {
      decided_.insert(ours);
      given_.insert(ours);
      taken_.insert(theirs);
    }
    for (const std::string& name : rows.members()) members_[plain(name)].push_back(name);
  }

  // Looks for candidate and reference. "answer" is what is missing of the two; where both have
  // another name, it may be the candidate, too, or beside our own name of that the reference.
  void find_texts() {
    std::vector<std::string> candidates = found_or_options("candidate"),
                             references = found_or_options("reference");
    const bool has_candidate = has_own("candidate", candidates),
               has_reference = has_own("reference", references);
    const bool has_text = has_candidate || std::ranges::any_of(candidates, [&](const auto& field) {
                            return content_of(field).is_text();
                          });
    for (const std::string& field : options("reference", When::beside)) {
      const Content& content = content_of(field);
      const bool is_list = content.has_list();
      // Numbers beside texts are no candidates: these are, though they are all correct.
      const bool has_candidates =
          has_text || (!candidates.empty() && (is_list || !content.is_text()));
      if (!references.empty() && holds_same(candidates, field)) continue;
      if (has_candidates && is_part(field, references)) continue;
      if (!is_list && !has_candidate && (has_reference || !references.empty())) {
        candidates.push_back(field);
      } else if (!has_reference && (has_candidate || !candidates.empty())) {
        references.push_back(field);
      }
    }
    if (!has("candidate")) take("candidate", std::move(candidates));
    if (!has("reference")) take("reference", std::move(references));
  }

  // Takes the texts of samples of lm-evaluation-harness, whatever is beside them but our names.
  void find_sample_texts() {
    if (!rows_.are_samples()) return;
    for (const auto& [ours, theirs] :
         {std::pair("candidate", "filtered_resps"), {"reference", "target"}}) {
      if (!has(ours) && !members_.contains(ours)) take(ours, spelled(ours, theirs, When::always));
    }
  }

  // Looks for our field under the names that are taken so, unless it is found.
  void find(std::string_view ours, When when) {
    if (!has(ours)) take(ours, options(ours, when));
  }

  // Throws InputError where the fields reference_2, … beside the reference, or instead of one, hold
  // further references. A name that is given decides.
  void refuse_numbered_references() const {
    if (given_.contains("reference")) return;
    const std::string found = field_name(found_.names, "reference");
    std::vector<std::string> bases = {"reference", "ref"};
    std::vector<std::string> fields;
    if (has("reference")) {
      bases = {plain(found)};
      fields = {found};
    }
    const size_t fewest = fields.size() + (fields.empty() ? 2 : 1);
    for (const auto& [name, members] : members_) {
      const bool is_numbered = std::ranges::any_of(bases, [&](const std::string& base) {
        return name.starts_with(base) && parse_count(std::string_view(name).substr(base.size()));
      });
      for (const std::string& field : members) {
        const Content& content = content_of(field);
        const bool holds = content.has_text || content.has_number || content.has_list();
        if (is_numbered && holds && field != found) fields.push_back(field);
      }
    }
    if (fields.size() < fewest) return;
    throw InputError("several fields hold references: " + join(fields), where_,
                     "make one list of them, {\"reference\": [\"a\", \"b\"]}, or name the only one "
                     "to read: --field reference=" +
                         fields.front());
  }

  // Throws InputError where one field is given as both texts: all scores would be the highest.
  void refuse_one_text() const {
    const std::string candidate = field_name(found_.names, "candidate");
    if (candidate.empty() || candidate != field_name(found_.names, "reference")) return;
    throw InputError("the field " + json_quote(candidate) + " is named as candidate and reference",
                     where_, "name two fields: --field candidate=… --field reference=…");
  }

  // Notes what has a usual name of our field, but another type, where nothing else is found.
  void note_unread(const std::string& ours) {
    if (has(ours)) return;
    for (const UsualName& name : usual_name_table()) {
      const auto members = members_.find(plain(name.theirs));
      if (name.ours != ours || members == members_.end()) continue;
      for (const std::string& field : members->second) {
        const Content& content = content_of(field);
        if (taken_.contains(field) || content.values == content.blanks) continue;
        found_.undecided.push_back("the field " + json_quote(field) + " holds " +
                                   (content.others > 0 ? "objects" : "lists") +
                                   ", no texts, and is not read as the " + ours);
      }
    }
  }

  UsualNames take_all() && { return std::move(found_); }

 private:
  const Content& content_of(const std::string& field) const { return rows_.content_of(field); }

  // Whether some row has a member of this name with dots, or a value where the path leads to.
  bool has_path(const std::string& path) const {
    return members_.contains(plain(path)) || rows_.has_path(path);
  }

  bool has(std::string_view ours) const { return decided_.contains(std::string(ours)); }

  static bool is_own(std::string_view ours, const std::string& field) {
    return plain(field) == ours;
  }

  // Whether the field's name is given, or is ours.
  bool has_own(std::string_view ours, const std::vector<std::string>& fields) const {
    return has(ours) || std::ranges::any_of(
                            fields, [&](const std::string& field) { return is_own(ours, field); });
  }

  bool holds_same(const std::vector<std::string>& fields, const std::string& field) const {
    return std::ranges::any_of(
        fields, [&](const std::string& other) { return rows_.are_equal(other, field); });
  }

  // Whether another field's texts hold those of this one, and are not the same, in all rows.
  bool is_less(const std::string& field, const std::string& other) const {
    return rows_.holds_all(other, field) && !rows_.holds_all(field, other);
  }

  // Whether one of the fields holds the same texts as this one, or more.
  bool is_part(const std::string& field, const std::vector<std::string>& fields) const {
    return holds_same(fields, field) || std::ranges::any_of(fields, [&](const std::string& other) {
             return is_less(field, other);
           });
  }

  // The field that is found already, else the options.
  std::vector<std::string> found_or_options(const std::string& ours) const {
    if (has(ours)) return {field_name(found_.names, ours)};
    return options(ours, When::always);
  }

  // The file's fields that may be ours, but for what holds the same as one of them.
  std::vector<std::string> options(std::string_view ours, When when) const {
    std::vector<std::string> fields;
    if (when == When::always) fields = spelled(ours, ours, when);
    for (const UsualName& name : usual_name_table()) {
      if (name.ours != ours || when_of(name) != when) continue;
      for (std::string& field : spelled(ours, name.theirs, when)) {
        if (!holds_same(fields, field)) fields.push_back(std::move(field));
      }
    }
    return fields;
  }

  // The file's fields of that name, or path, that can be ours.
  std::vector<std::string> spelled(std::string_view ours, std::string_view name, When when) const {
    std::vector<std::string> fields;
    if (name.find('.') == name.npos) {
      const auto members = members_.find(plain(name));
      if (members != members_.end()) fields = members->second;
    } else if (has_path(std::string(name))) {
      fields.emplace_back(name);
    }
    std::erase_if(fields, [&](const std::string& field) {
      return taken_.contains(field) || !fits(ours, when, content_of(field), reads_);
    });
    return fields;
  }

  When when_of(const UsualName& name) const {
    if (name.when != When::without_source) return name.when;
    return members_.contains("source") ? When::last : When::always;
  }

  // Takes the only option. Of several it is our name, but for texts that are scored.
  void take(std::string_view ours, std::vector<std::string> fields) {
    drop_unlikely(ours, fields);
    if (ours == "reference") {
      const std::vector<std::string> all = fields;
      std::erase_if(fields, [&](const std::string& field) {
        return std::ranges::any_of(all,
                                   [&](const std::string& other) { return is_less(field, other); });
      });
    }
    const bool is_scored = ours == "candidate" || ours == "reference";
    const auto own =
        std::ranges::find_if(fields, [&](const std::string& field) { return is_own(ours, field); });
    if (!is_scored && own != fields.end()) fields = {std::string(*own)};
    if (fields.empty()) return;
    const std::string name(ours);
    decided_.insert(name);
    taken_.insert(fields.begin(), fields.end());
    if (fields.size() == 1) {
      if (fields.front() != name) found_.names[name] = fields.front();
      return;
    }
    std::vector<std::string> named;
    for (const std::string& field : fields)
      named.push_back("--field " + shell_word(name + "=" + field));
    const std::string problem = "the " + name + " may be any of the fields " + join(fields);
    if (reads_ != Reads::scores && (is_scored || ours == kLabel)) {
      throw InputError(problem, where_, "name it: " + join(named, "\n        or "));
    }
    if (!is_scored && ours != kLabel) {
      found_.undecided.push_back(problem + ", and is not read: " + join(named, " or ") +
                                 " names it");
    }
  }

  // Drops what is another thing: a number beside one text, such as a score, and of candidates a
  // list beside a text. Never what has our name.
  void drop_unlikely(std::string_view ours, std::vector<std::string>& fields) const {
    if (ours == kLabel) return;
    const auto has_texts = [&](const std::string& field) {
      const Content& content = content_of(field);
      return content.is_text() || content.has_list();
    };
    const auto is_list = [&](const std::string& field) {
      const Content& content = content_of(field);
      return content.has_list() || content.nested > 0;
    };
    if (ours == "candidate" && !std::ranges::all_of(fields, is_list)) {
      std::erase_if(
          fields, [&](const std::string& field) { return is_list(field) && !is_own(ours, field); });
    }
    if (std::ranges::count_if(fields, has_texts) != 1) return;
    std::erase_if(fields, [&](const std::string& field) {
      return !has_texts(field) && !is_own(ours, field);
    });
  }

  const FieldEvidence& rows_;
  const std::string& where_;
  Reads reads_;
  UsualNames found_;
  std::set<std::string> given_, decided_, taken_;            // ours, ours; the file's
  std::map<std::string, std::vector<std::string>> members_;  // of the rows, by plain name
};

}  // namespace

bool have_same_members(const Json& one, const Json& other) {
  return std::ranges::equal(one.object(), other.object(), [](const auto& member, const auto& same) {
    return member.first == same.first;
  });
}

bool is_text_field(const std::string& name) {
  const std::string letters = plain(name);
  if (letters == "candidate1" || letters == "candidate2") return true;
  return std::ranges::any_of(usual_name_table(), [&](const UsualName& usual) {
    const bool may_be_label = usual.theirs == "label" || usual.theirs == "labels";
    return usual.ours != kLabel && !may_be_label &&
           (letters == usual.ours || letters == plain(usual.theirs));
  });
}

bool is_usual_name(const std::string& ours, const std::string& theirs) {
  return plain(theirs) == plain(ours) ||
         std::ranges::any_of(usual_name_table(), [&](const UsualName& usual) {
           return usual.ours == ours && plain(usual.theirs) == plain(theirs);
         });
}

bool may_be_field(const std::string& name) {
  std::string letters = plain(name);
  letters.resize(letters.find_last_not_of("0123456789") + 1);  // reference_2, candidate1
  return letters == "source" || letters == "docid" ||
         std::ranges::any_of(usual_name_table(), [&](const UsualName& usual) {
           return letters == usual.ours || letters == plain(usual.theirs) ||
                  letters == plain(usual.theirs.substr(0, usual.theirs.find('.')));
         });
}

IsTextColumn text_columns(const FieldNames& names) {
  return [names](const std::string& column) {
    return is_text_field(column) || std::ranges::any_of(names, [&](const auto& name) {
             return name.second == column && is_text_field(name.first);
           });
  };
}

FieldEvidence::FieldEvidence(FieldNames given) : given_(std::move(given)) {
  std::set<std::string> paths;
  for (const UsualName& name : usual_name_table()) {
    if (name.theirs.find('.') != std::string::npos) paths.insert(name.theirs);
  }
  for (const auto& [ours, theirs] : given_) paths.insert(theirs);
  for (const std::string& path : paths) paths_.emplace_back(path, path.substr(0, path.find('.')));
}

size_t FieldEvidence::number_of(const std::string& field) {
  const auto [found, is_new] = numbers_.emplace(field, fields_.size());
  if (!is_new) return found->second;
  // In earlier rows it has no texts: these hold none of another field's, and all of its own.
  const size_t count = fields_.size();
  for (size_t i = 0; i < count; ++i) {
    const bool has_none = !fields_[i].has_texts();
    pairs_.push_back({i, count, has_none, /*holds_other=*/true, has_none});
  }
  fields_.emplace_back();
  return count;
}

// Which members there are, and what those hold that may be ours.
void FieldEvidence::add(const Json& row) {
  are_pairs_ = are_pairs_ && is_row_pair(row, given_);
  are_samples_ = are_samples_ && is_lm_eval_sample(row);
  is_empty_ = false;
  const Json::Object& members = row.object();
  const bool is_alike = std::ranges::equal(members, last_members_, {}, [](const auto& member) {
    return std::string_view(member.first);
  });
  if (!is_alike) {
    last_members_.clear();
    last_fields_.clear();
    for (const auto& [name, value] : members) {
      last_members_.push_back(name);
      members_.insert(name);
      const bool is_read =
          may_be_field(name) ||
          std::ranges::any_of(given_, [&](const auto& given) { return given.second == name; });
      if (is_read) last_fields_.emplace_back(last_members_.size() - 1, number_of(name));
    }
  }
  values_.assign(fields_.size(), {});
  for (const auto& [member, field] : last_fields_)
    values_[field] = {FieldValue(), &members[member].second};
  for (const auto& [path, first] : paths_) {
    if (row.find(first) == nullptr || row.find(path) != nullptr) continue;
    const FieldValue value = find_field(row, path);
    if (value == nullptr) continue;
    const size_t field = number_of(path);
    values_.resize(fields_.size());
    values_[field] = value;
    fields_[field].is_path = true;
  }
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (values_[i] != nullptr) add_content(*values_[i], fields_[i].content);
  }
  compare();
}

// Most pairs differ in the first rows, after which their texts are not looked at.
void FieldEvidence::compare() {
  std::vector<std::optional<std::vector<std::string>>> texts(fields_.size());
  const auto texts_in = [&](size_t i) -> const std::vector<std::string>& {
    if (!texts[i]) texts[i] = texts_of(values_[i]);
    return *texts[i];
  };
  const auto holds = [&](size_t whole, size_t part) {
    return std::ranges::all_of(texts_in(part), [&](const std::string& text) {
      return std::ranges::find(texts_in(whole), text) != texts_in(whole).end();
    });
  };
  for (Pair& pair : pairs_) {
    if (pair.are_equal) pair.are_equal = texts_in(pair.one) == texts_in(pair.other);
    if (pair.holds_other) pair.holds_other = holds(pair.one, pair.other);
    if (pair.is_held) pair.is_held = holds(pair.other, pair.one);
  }
  std::erase_if(pairs_, [](const Pair& pair) {
    return !pair.are_equal && !pair.holds_other && !pair.is_held;
  });
  for (size_t i = 0; i < fields_.size(); ++i) {
    Field& field = fields_[i];
    if (field.has_text) continue;
    for (const std::string& text : texts_in(i)) {
      (text.empty() ? field.has_empty : field.has_text) = true;
    }
  }
}

const FieldContent& FieldEvidence::content_of(const std::string& field) const {
  static const FieldContent kNothing;
  const auto found = numbers_.find(field);
  return found == numbers_.end() ? kNothing : fields_[found->second].content;
}

bool FieldEvidence::has_path(const std::string& path) const {
  const auto found = numbers_.find(path);
  return found != numbers_.end() && fields_[found->second].is_path &&
         content_of(path.substr(0, path.find('.'))).others > 0;
}

const FieldEvidence::Pair* FieldEvidence::find_pair(size_t one, size_t other) const {
  const auto found = std::ranges::find_if(pairs_, [&](const Pair& pair) {
    return pair.one == std::min(one, other) && pair.other == std::max(one, other);
  });
  return found == pairs_.end() ? nullptr : &*found;
}

bool FieldEvidence::are_equal(const std::string& one, const std::string& other) const {
  const auto first = numbers_.find(one), second = numbers_.find(other);
  if (first == second) return true;  // also of no texts
  if (first == numbers_.end()) return !fields_[second->second].has_texts();
  const Field& field = fields_[first->second];
  if (second == numbers_.end()) return !field.has_texts();
  if (!field.has_text && field.has_empty) return false;
  const Pair* const pair = find_pair(first->second, second->second);
  return pair != nullptr && pair->are_equal;
}

bool FieldEvidence::holds_all(const std::string& whole, const std::string& part) const {
  const auto first = numbers_.find(whole), second = numbers_.find(part);
  if (first == second) return true;
  if (second == numbers_.end()) return true;  // of no texts
  if (first == numbers_.end()) return !fields_[second->second].has_texts();
  const Pair* const pair = find_pair(first->second, second->second);
  return pair != nullptr && (first->second < second->second ? pair->holds_other : pair->is_held);
}

UsualNames usual_names(const FieldEvidence& rows, const std::string& where, Reads reads) {
  if (rows.is_empty()) return {rows.given(), {}};
  Names found(rows, where, reads);
  if (rows.are_pairs()) {
    found.find("reference", When::always);
  } else {
    found.find_sample_texts();
    found.find_texts();
  }
  for (const When when : {When::always, When::last}) {
    for (const std::string_view ours : kOurs) {
      const bool is_read =
          ours == kLabel ? reads != Reads::texts : !rows.are_pairs() || ours != "candidate";
      if (is_read) found.find(ours, when);
    }
  }
  if (reads != Reads::scores) {
    found.refuse_numbered_references();
    found.refuse_one_text();
    for (const char* const ours : {"passage", "question", "id"}) found.note_unread(ours);
  }
  return std::move(found).take_all();
}

UsualNames usual_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                       Reads reads) {
  FieldEvidence evidence(std::move(names));
  for (const Json& row : rows) evidence.add(row);
  return usual_names(evidence, where, reads);
}

FieldNames complete_names(const FieldEvidence& rows, const std::string& where, Reads reads) {
  const FieldNames& given = rows.given();
  const UsualNames usual = usual_names(rows, where, reads);
  for (const std::string& note : usual.undecided) log_info(note);
  std::vector<std::string> added, numbers;
  for (const auto& [ours, theirs] : usual.names) {
    if (!given.contains(ours)) added.push_back(ours + " is " + json_quote(theirs));
  }
  for (const char* const ours : {"candidate", "reference"}) {
    const std::string field = field_name(usual.names, ours);
    if (rows.content_of(field).has_json_number) numbers.push_back(json_quote(field));
  }
  if (!added.empty()) log_info("fields: " + join(added));
  if (!numbers.empty()) {
    log_info("numbers, and true and false, are read as texts in " + join(numbers, " and "));
  }
  return usual.names;
}

FieldNames complete_names(std::span<const Json> rows, FieldNames names, const std::string& where,
                          Reads reads) {
  FieldEvidence evidence(std::move(names));
  for (const Json& row : rows) evidence.add(row);
  return complete_names(evidence, where, reads);
}

}  // namespace rubric::data
