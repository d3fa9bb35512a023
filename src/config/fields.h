// How a configuration struct lists its fields, once, for reading, printing and the reference page:
//
//   struct TrainConfig {
//     int64_t epochs = 3;
//     std::string precision = "float32";
//     void visit_fields(FieldVisitor& visitor) {
//       visitor.field("epochs", epochs, "passes over the training data", {1, 1000});
//       visitor.field("precision", precision, "of matrix products", {"float32", "bfloat16"});
//     }
//   };
//
// A field keeps its initial value when the file does not name it; a field without a value is not
// printed. No field may be called "include": that key names included files (config/reader.h).
#pragma once

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rubric::config {

// The values a number may take, both ends included. A side that holds the type's own limit is
// unbounded.
template <class Number>
struct Range {
  Number least = std::numeric_limits<Number>::lowest();
  Number most = std::numeric_limits<Number>::max();
  bool contains(Number value) const { return value >= least && value <= most; }
};

// A field, bound to the member that holds its value, or a group of fields, which follow it.
struct Field {
  std::string key;      // "train.epochs"
  std::string comment;  // one line
  std::variant<std::monostate, bool*, int64_t*, double*, std::optional<double>*, std::string*,
               std::vector<std::string>*>
      value;                              // monostate: a group
  Range<int64_t> whole = {};              // of a whole number
  Range<double> real = {};                // of a number, which must be finite
  std::vector<std::string> choices = {};  // of a string; empty: any is valid

  bool is_group() const { return std::holds_alternative<std::monostate>(value); }
};

// Collects the fields in their order.
class FieldVisitor {
 public:
  template <class Value>
  void field(const char* name, Value& value, const char* comment) {
    add(name, comment).value = &value;
  }
  void field(const char* name, int64_t& value, const char* comment, Range<int64_t> range) {
    field(name, value, comment);
    fields_.back().whole = range;
  }
  void field(const char* name, double& value, const char* comment, Range<double> range) {
    field(name, value, comment);
    fields_.back().real = range;
  }
  void field(const char* name, std::string& value, const char* comment,
             const std::vector<std::string>& choices) {
    field(name, value, comment);
    fields_.back().choices = choices;
  }

  // A nested struct; the keys of its fields are "name.field".
  template <class Group>
  void group(const char* name, Group& value, const char* comment) {
    add(name, comment);
    const size_t outer = prefix_.size();
    prefix_ += name + std::string(".");
    value.visit_fields(*this);
    prefix_.resize(outer);
  }

  const std::vector<Field>& fields() const { return fields_; }

 private:
  Field& add(const char* name, const char* comment) {
    return fields_.emplace_back(Field{prefix_ + name, comment, {}});
  }

  std::string prefix_;
  std::vector<Field> fields_;
};

template <class Config>
std::vector<Field> fields_of(Config& config) {
  FieldVisitor visitor;
  config.visit_fields(visitor);
  return visitor.fields();
}

// "from 1 to 1000", "at least 1", "at most 1000", or "" without bounds.
std::string range_text(Range<int64_t> range);
std::string range_text(Range<double> range);

// The shortest decimal that reads back as the same double. It always has a point before an
// exponent: YAML 1.1 readers take "1e-05" for a string.
std::string number_text(double value);

}  // namespace rubric::config
