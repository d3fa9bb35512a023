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

// Comments must be one line.
class FieldVisitor {
 public:
  virtual ~FieldVisitor() = default;

  virtual void field(const char* name, bool& value, const char* comment) = 0;
  virtual void field(const char* name, int64_t& value, const char* comment,
                     Range<int64_t> range = {}) = 0;
  virtual void field(const char* name, double& value, const char* comment,
                     Range<double> range = {}) = 0;  // must be finite
  virtual void field(const char* name, std::optional<double>& value, const char* comment) = 0;
  virtual void field(
      const char* name, std::string& value, const char* comment,
      const std::vector<std::string>& choices = {}) = 0;  // empty: any string is valid
  virtual void field(const char* name, std::vector<std::string>& value, const char* comment) = 0;

  // A nested struct; the keys of its fields are "name.field".
  template <class Group>
  void group(const char* name, Group& value, const char* comment) {
    enter(name, comment);
    value.visit_fields(*this);
    leave();
  }

 protected:
  virtual void enter(const char* name, const char* comment) = 0;
  virtual void leave() = 0;
};

// "from 1 to 1000", "at least 1", "at most 1000", or "" without bounds.
std::string range_text(Range<int64_t> range);
std::string range_text(Range<double> range);

// The shortest decimal that reads back as the same double. It always has a point before an
// exponent: YAML 1.1 readers take "1e-05" for a string.
std::string number_text(double value);

}  // namespace rubric::config
