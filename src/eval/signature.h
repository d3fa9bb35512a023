// What a result of a suite depends on: "agreement|input:3f9a…|human:score|…|seed:0|rubric:0.1.0".
#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <utility>

#include "rubric/row_format.h"
#include "stats/bootstrap.h"

namespace rubric::eval {

// Parts are "|name:value". One whose value is "" is left out.
class Signature {
 public:
  explicit Signature(std::string begin) : text_(std::move(begin)) {}

  Signature& add(const std::string& part);  // "name:value|name:value"
  Signature& add(const std::string& name, const std::string& value);
  Signature& add(const std::string& name, int64_t value);
  Signature& text(const std::string& name, const std::string& value);              // a user's
  Signature& texts(const std::string& name, std::span<const std::string> values);  // also of none
  Signature& file(const std::string& name, const std::filesystem::path& file);     // its hash
  Signature& fields(const FieldNames& fields);  // "|field:id=qid,question=query"

  std::string end() const;  // with the version
  std::string end(const stats::BootstrapOptions& bootstrap) const;

 private:
  std::string text_;
};

}  // namespace rubric::eval
