#include "config/reference.h"

#include "config/printer.h"
#include "core/error.h"

namespace rubric {
namespace {

// A table's cell: a bar would end it. Backslashes hold in code spans of tables too (GFM, 4.10).
std::string cell(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '|') escaped += '\\';
    escaped += c;
  }
  return escaped;
}

std::string code(const std::string& text) {
  return "`" + cell(text) + "`";
}

class Reference : public FieldVisitor {
 public:
  explicit Reference(const std::string& title) : sections_{{"## " + title + "\n\n", "", ""}} {}

  std::string take() const {
    std::string page;
    for (const Section& section : sections_) {
      page += section.heading;
      if (section.rows.empty()) continue;
      page += "| Key | Type | Default | Allowed | Meaning |\n|---|---|---|---|---|\n";
      page += section.rows + "\n";
    }
    return page;
  }

  void field(const char* name, bool& value, const char* comment) override {
    add(name, "boolean", value ? "true" : "false", code("true") + ", " + code("false"), comment);
  }
  void field(const char* name, int64_t& value, const char* comment, Range<int64_t> range) override {
    add(name, "integer", std::to_string(value), range_text(range), comment);
  }
  void field(const char* name, double& value, const char* comment, Range<double> range) override {
    add(name, "number", number_text(value), range_text(range), comment);
  }
  void field(const char* name, std::optional<double>& value, const char* comment) override {
    add(name, "number", value ? number_text(*value) : "", "", comment);
  }
  void field(const char* name, std::string& value, const char* comment,
             const std::vector<std::string>& choices) override {
    std::vector<std::string> allowed;
    for (const std::string& choice : choices) allowed.push_back(code(yaml_text(choice)));
    add(name, "string", yaml_text(value), join(allowed), comment);
  }
  void field(const char* name, std::vector<std::string>& value, const char* comment) override {
    add(name, "list of strings", yaml_text(value), "", comment);
  }

 private:
  struct Section {
    std::string heading, prefix, rows;
  };

  void enter(const char* name, const char* comment) override {
    const std::string key = sections_[current_.back()].prefix + name;
    current_.push_back(sections_.size());
    sections_.push_back({"### `" + key + "`\n\n" + comment + "\n\n", key + ".", ""});
  }
  void leave() override { current_.pop_back(); }

  void add(const char* name, const char* type, const std::string& initial,
           const std::string& allowed, const char* comment) {
    Section& section = sections_[current_.back()];
    section.rows += "| " + code(section.prefix + name) + " | " + type + " | " + code(initial) +
                    " | " + allowed + " | " + cell(comment) + " |\n";
  }

  std::vector<Section> sections_;
  std::vector<size_t> current_{0};  // indices of the open sections, innermost last
};

}  // namespace

std::string fields_reference(const std::function<void(FieldVisitor&)>& visit,
                             const std::string& title) {
  Reference reference(title);
  visit(reference);
  return reference.take();
}

}  // namespace rubric
