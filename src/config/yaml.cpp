#include "config/yaml.h"

#include <algorithm>
#include <optional>
#include <sstream>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/parser.h>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/utf8.h"

namespace rubric::config {
namespace {

int64_t line_of(const YAML::Mark& mark) {
  return int64_t{mark.line} + 1;
}

std::string place(const YamlSource& source, int64_t line) {
  return source.has_lines && line > 0 ? source.name + ":" + std::to_string(line) : source.name;
}

// Receives yaml-cpp's parsing events and builds the tree. (yaml-cpp's own tree keeps repeated keys
// silently and expands aliases.)
class YamlBuilder : public YAML::EventHandler {
 public:
  explicit YamlBuilder(std::shared_ptr<const YamlSource> source) : source_(std::move(source)) {
    root_.source = source_;
  }

  Yaml take() { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark& mark) override {
    if (++documents_ > 1) fail(mark, "a second YAML document", "remove the line with ---");
  }
  void OnDocumentEnd() override {}
  void OnAnchor(const YAML::Mark& mark, const std::string& name) override {
    fail(mark, "anchors are not supported: &" + name, "write the value out where it is needed");
  }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override {
    fail(mark, "aliases are not supported", "write the value out where it is needed");
  }
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override {
    add(mark, make(Yaml::Kind::null, mark));
  }
  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                const std::string& value) override {
    refuse_tag(mark, tag);
    if (value.find('\0') != std::string::npos)
      fail(mark, "a string with a zero byte", "remove \\0");
    Yaml node = make(Yaml::Kind::scalar, mark);
    node.text = value;
    node.quoted = tag == "!";  // yaml-cpp's mark of a quoted scalar
    add(mark, std::move(node));
  }
  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, Yaml::Kind::list);
  }
  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, Yaml::Kind::map);
  }
  void OnSequenceEnd() override { close(); }
  void OnMapEnd() override { close(); }

 private:
  struct Key {
    std::string name;
    int64_t line;
  };
  struct Open {
    Yaml node;
    std::optional<Key> key;  // of a map: a key whose value is not read yet
  };

  [[noreturn]] void fail(const YAML::Mark& mark, const std::string& what,
                         const std::string& what_to_do = "") const {
    throw InputError(what, place(*source_, line_of(mark)), what_to_do);
  }

  void refuse_tag(const YAML::Mark& mark, const std::string& tag) const {
    if (tag.empty() || tag == "?" || tag == "!") return;
    fail(mark, "tags are not supported: " + tag,
         "remove the tag; quote a value to make it a string");
  }

  Yaml make(Yaml::Kind kind, const YAML::Mark& mark) const {
    Yaml node;
    node.kind = kind;
    node.source = source_;
    node.line = line_of(mark);
    return node;
  }

  bool awaits_key() const {
    return !open_.empty() && open_.back().node.kind == Yaml::Kind::map && !open_.back().key;
  }

  void open(const YAML::Mark& mark, const std::string& tag, Yaml::Kind kind) {
    refuse_tag(mark, tag);
    if (awaits_key())
      fail(mark, "a list or map as a key", "use a plain word as the key, and close every [ and {");
    if (open_.size() >= kDeepestYaml) {
      fail(mark, "nested deeper than " + std::to_string(kDeepestYaml) + " levels");
    }
    open_.push_back({make(kind, mark), std::nullopt});
  }

  void close() {
    Yaml closed = std::move(open_.back().node);
    open_.pop_back();
    put(std::move(closed));
  }

  void add(const YAML::Mark& mark, Yaml value) {
    if (awaits_key()) {
      set_key(mark, value);
    } else {
      put(std::move(value));
    }
  }

  void set_key(const YAML::Mark& mark, const Yaml& key) {
    if (key.text.empty()) fail(mark, "an empty key", "write the key before the colon");
    const Yaml& map = open_.back().node;
    if (const Yaml* first = map.find(key.text)) {
      fail(mark, "the key " + json_quote(key.text) + " occurs twice",
           "remove one of them (the first is on line " + std::to_string(first->line) + ")");
    }
    if (map.members.size() >= kMostYamlKeys) {
      fail(mark, "a map with more than " + std::to_string(kMostYamlKeys) + " keys");
    }
    open_.back().key = Key{key.text, key.line};
  }

  void put(Yaml value) {
    if (open_.empty()) {
      root_ = std::move(value);
      return;
    }
    Open& parent = open_.back();
    if (parent.node.kind == Yaml::Kind::list) {
      parent.node.items.push_back(std::move(value));
      return;
    }
    value.line = parent.key->line;  // yaml-cpp places a missing value at the start of its map
    parent.node.members.emplace_back(std::move(parent.key->name), std::move(value));
    parent.key.reset();
  }

  std::shared_ptr<const YamlSource> source_;
  Yaml root_;
  std::vector<Open> open_;
  int documents_ = 0;
};

int64_t line_at(std::string_view text, size_t position) {
  return 1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(position), '\n');
}

// The position of a tab in the indentation of a line; npos when there is none. yaml-cpp accepts
// such tabs in some places only.
size_t find_tab_in_indentation(std::string_view text) {
  bool in_indentation = true;
  for (size_t i = 0; i < text.size(); ++i) {
    if (in_indentation && text[i] == '\t') return i;
    in_indentation = text[i] == '\n' || (in_indentation && text[i] == ' ');
  }
  return std::string_view::npos;
}

void check_text(std::string_view text, const YamlSource& source) {
  if (text.size() > kLargestYaml) {
    throw InputError("larger than " + std::to_string(kLargestYaml) + " bytes", source.name,
                     "check that this is the file you meant");
  }
  if (const size_t bad = find_invalid_text(text); bad != std::string_view::npos) {
    throw InputError("not UTF-8 text", place(source, line_at(text, bad)), "save the file as UTF-8");
  }
  if (const size_t tab = find_tab_in_indentation(text); tab != std::string_view::npos) {
    throw InputError("a tab in the indentation", place(source, line_at(text, tab)),
                     "indent with spaces; inside a quoted string write \\t");
  }
}

[[noreturn]] void throw_syntax_error(const YAML::Exception& error, std::string_view text,
                                     const YamlSource& source) {
  std::string what_to_do = "correct it there or before";
  if (text.find("${") != std::string_view::npos && error.msg.find("flow") != std::string::npos) {
    what_to_do = "inside [ ] and { } a variable needs quotes: \"${VAR}\"";
  }
  const int64_t line = error.mark.is_null() ? 0 : line_of(error.mark);
  throw InputError("not valid YAML: " + error.msg, place(source, line), what_to_do);
}

std::string shortened(const std::string& text) {
  constexpr size_t kLongest = 60;
  if (text.size() <= kLongest) return json_quote(text);
  size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return json_quote(text.substr(0, end) + "…");
}

}  // namespace

const Yaml* Yaml::find(std::string_view key) const {
  for (const auto& [name, value] : members) {
    if (name == key) return &value;
  }
  return nullptr;
}

std::string Yaml::where() const {
  return source == nullptr ? "" : place(*source, line);
}

std::string Yaml::describe() const {
  switch (kind) {
    case Kind::null:
      return "nothing";
    case Kind::scalar:
      return (quoted ? "the string " : "") + shortened(text);
    case Kind::list:
      return "a list";
    case Kind::map:
      return "a map of keys";
  }
  return "";
}

Yaml parse_yaml(std::string_view text, const std::string& name, bool has_lines) {
  auto source = std::make_shared<YamlSource>(YamlSource{name, has_lines});
  check_text(text, *source);
  YamlBuilder builder(source);
  try {
    std::istringstream stream{std::string(text)};
    YAML::Parser parser(stream);
    while (parser.HandleNextDocument(builder)) {
    }
  } catch (const YAML::Exception& error) {
    throw_syntax_error(error, text, *source);
  }
  return builder.take();
}

Yaml parse_yaml_file(const std::filesystem::path& path) {
  std::error_code error;  // read_file reports a missing file or a directory
  const auto status = std::filesystem::status(path, error);
  if (std::filesystem::is_other(status))
    throw InputError("not a regular file", path.string(), "name a file of YAML");
  if (std::filesystem::is_regular_file(status) &&
      std::filesystem::file_size(path, error) > kLargestYaml) {
    throw InputError("larger than " + std::to_string(kLargestYaml) + " bytes", path.string(),
                     "check that this is the file you meant");
  }
  return parse_yaml(read_file(path), path.string());
}

}  // namespace rubric::config
