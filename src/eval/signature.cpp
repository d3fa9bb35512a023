#include "eval/signature.h"

#include "core/hash.h"
#include "core/json/json.h"
#include "rubric/version.h"

namespace rubric::eval {

Signature& Signature::add(const std::string& part) {
  text_ += "|" + part;
  return *this;
}

Signature& Signature::add(const std::string& name, const std::string& value) {
  if (!value.empty()) text_ += "|" + name + ":" + value;
  return *this;
}

Signature& Signature::add(const std::string& name, int64_t value) {
  return add(name, std::to_string(value));
}

Signature& Signature::text(const std::string& name, const std::string& value) {
  return add(name, signature_text(value));
}

Signature& Signature::texts(const std::string& name, std::span<const std::string> values) {
  text_ += "|" + name + ":" + signature_texts(values);
  return *this;
}

Signature& Signature::file(const std::string& name, const std::filesystem::path& file) {
  return file.empty() ? *this : add(name, short_sha256_file(file));
}

Signature& Signature::fields(const FieldNames& fields) {
  std::string names;
  for (const auto& [ours, theirs] : fields) {
    names += (names.empty() ? "" : ",") + ours + "=" + signature_text(theirs);
  }
  return add("field", names);
}

std::string Signature::end() const {
  return text_ + "|rubric:" + version_with_build();
}

std::string Signature::end(const stats::BootstrapOptions& bootstrap) const {
  return Signature(*this)
      .add("resamples", bootstrap.resamples)
      .add("seed", std::to_string(bootstrap.seed))
      .end();
}

}  // namespace rubric::eval
