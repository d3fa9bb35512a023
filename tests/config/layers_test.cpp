#include <cstdlib>

#include "config/example_config.h"
#include "config/reader.h"

namespace rubric::config::layers_test {

// {a: 1, b: [x, y]}: the tree in one line.
std::string flat(const Yaml& node) {
  std::vector<std::string> parts;
  for (const Yaml& item : node.items) parts.push_back(flat(item));
  for (const auto& [key, value] : node.members) parts.push_back(key + ": " + flat(value));
  switch (node.kind) {
    case Yaml::Kind::null:
      return "~";
    case Yaml::Kind::scalar:
      return node.text;
    case Yaml::Kind::list:
      return "[" + join(parts) + "]";
    case Yaml::Kind::map:
      return "{" + join(parts) + "}";
  }
  return "";
}

struct Layers : ConfigFolder {
  std::string load(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return flat(load_layers(write("run.yaml", text), overrides));
  }
  std::string error(const std::string& text, const std::vector<std::string>& overrides = {}) const {
    return input_error([&] { load(text, overrides); });
  }
};

TEST_F(Layers, MergesIncludesBelowTheFile) {
  write("base.yaml", "train: {epochs: 3, rate: 1}\ndata: {hold_out: [a, b]}\n");
  EXPECT_EQ(load("include: base.yaml\ntrain: {epochs: 5}\ndata: {hold_out: [c]}\nnew: x\n"),
            "{train: {epochs: 5, rate: 1}, data: {hold_out: [c]}, new: x}");
  // Where `include:` stands in the file does not matter.
  EXPECT_EQ(load("train: {epochs: 5}\ninclude: base.yaml\n"),
            "{train: {epochs: 5, rate: 1}, data: {hold_out: [a, b]}}");
}

TEST_F(Layers, TakesListsOfIncludesLaterWins) {
  write("a.yaml", "x: 1\ny: 1\nz: 1");
  write("b.yaml", "y: 2\nz: 2");
  EXPECT_EQ(load("include: [a.yaml, b.yaml]\nz: 3"), "{x: 1, y: 2, z: 3}");
  EXPECT_EQ(load("include: [b.yaml, a.yaml]"), "{y: 1, z: 1, x: 1}");
  EXPECT_EQ(load("include: []\nx: 1"), "{x: 1}");
}

TEST_F(Layers, FindsIncludesBesideTheIncludingFile) {
  write("shared/base.yaml", "include: deeper/more.yaml\na: 1");
  write("shared/deeper/more.yaml", "b: 2");
  EXPECT_EQ(load("include: shared/base.yaml"), "{b: 2, a: 1}");
  EXPECT_EQ(load("include: " + path("shared/base.yaml")), "{b: 2, a: 1}");
  setenv("RUBRIC_TEST_FOLDER", "shared", 1);
  EXPECT_EQ(load("include: ${RUBRIC_TEST_FOLDER}/base.yaml"), "{b: 2, a: 1}");
}

TEST_F(Layers, MayIncludeOneFileOnTwoWays) {
  write("base.yaml", "a: 1");
  write("left.yaml", "include: base.yaml\nl: 1");
  write("right.yaml", "include: base.yaml\nr: 1");
  EXPECT_EQ(load("include: [left.yaml, right.yaml]"), "{a: 1, l: 1, r: 1}");
}

TEST_F(Layers, KeepsTheOriginOfEveryValue) {
  write("base.yaml", "train:\n  epochs: 3\n  rate: 1\n");
  const Yaml root =
      load_layers(write("run.yaml", "include: base.yaml\ntrain:\n  rate: 2\n"), {"train.seed=1"});
  const Yaml& train = *root.find("train");
  EXPECT_EQ(train.find("epochs")->where(), path("base.yaml") + ":2");
  EXPECT_EQ(train.find("rate")->where(), path("run.yaml") + ":3");
  EXPECT_EQ(train.find("seed")->where(), "--set train.seed=1");
}

TEST_F(Layers, OverridesLastWithYamlValues) {
  EXPECT_EQ(load("a: {b: 1, c: 2}", {"a.b=3", "a.b=4", "d=[x, y]", "e.f={g: 1}", "h=a=b"}),
            "{a: {b: 4, c: 2}, d: [x, y], e: {f: {g: 1}}, h: a=b}");
  EXPECT_EQ(load("a: 1", {"a="}), "{a: ~}");
  EXPECT_TRUE(load_layers(path("run.yaml"), {"a=\"1\""}).find("a")->quoted);
  for (const std::string sign : {"|", ">", "#", "||", ";", " / ", "-", "&", "*", "%", "?", ":"}) {
    EXPECT_EQ(load_layers(path("run.yaml"), {"a=" + sign}).find("a")->text, sign);
  }
  EXPECT_EQ(load("a: 1", {"a=[]", "b=~", "c='|'"}), "{a: [], b: ~, c: |}");
}

TEST_F(Layers, FillsInVariablesOfTheMergedValues) {
  setenv("RUBRIC_TEST_ROOT", "/data: [x]", 1);
  unsetenv("RUBRIC_TEST_UNSET");
  EXPECT_EQ(load("a: ${RUBRIC_TEST_ROOT}/m\nb: [\"${RUBRIC_TEST_UNSET:-d}\", \"$${x}\"]",
                 {"c=${RUBRIC_TEST_ROOT}"}),
            "{a: /data: [x]/m, b: [d, ${x}], c: /data: [x]}");
  EXPECT_EQ(error("a:\n  b:\n    - x\n    - ${RUBRIC_TEST_UNSET}\n"),
            error_lines("a.b[1]: the environment variable RUBRIC_TEST_UNSET is not set",
                        path("run.yaml") + ":4",
                        "set it (export RUBRIC_TEST_UNSET=…) or write a default: "
                        "${RUBRIC_TEST_UNSET:-…}"));
  // A value that a later layer replaces needs no variable.
  EXPECT_EQ(load("a: ${RUBRIC_TEST_UNSET}", {"a=1"}), "{a: 1}");
}

TEST_F(Layers, TakesEmptyFiles) {
  EXPECT_EQ(load(""), "{}");
  EXPECT_EQ(load("# nothing", {"a=1"}), "{a: 1}");
}

TEST_F(Layers, RefusesBadIncludes) {
  EXPECT_EQ(
      error("a: 1\ninclude: none.yaml"),
      error_lines("the included file " + path("none.yaml") + " is missing", path("run.yaml") + ":2",
                  "correct the name; it is relative to the including file"));
  write("loop.yaml", "b: 1\ninclude: ../" + folder_.path().filename().string() + "/run.yaml");
  const std::string loop = error("include: loop.yaml");
  EXPECT_NE(loop.find("includes this one"), std::string::npos);
  EXPECT_NE(loop.find(path("loop.yaml") + ":2"), std::string::npos);
  EXPECT_NE(error("include: run.yaml").find("includes this one"), std::string::npos);
  for (const char* const value : {"{a: b}", "", "[a.yaml, [b.yaml]]", "\"\"", "[~]"}) {
    EXPECT_NE(error(std::string("include: ") + value).find("expected a file name or a list"),
              std::string::npos);
  }
  EXPECT_NE(error("include: " + std::string(5000, 'x')).find("is missing"), std::string::npos);
}

TEST_F(Layers, BoundsTheNumberOfFiles) {
  for (int i = 0; i < 20; ++i) {  // each file includes the next one twice: 2^20 in all
    const std::string next = std::to_string(i + 1) + ".yaml";
    write(std::to_string(i) + ".yaml", "include: [" + next + ", " + next + "]");
  }
  write("20.yaml", "a: 1");
  EXPECT_NE(error("include: 0.yaml").find("more than 32 files included"), std::string::npos);
}

TEST_F(Layers, RefusesATopThatIsNoMap) {
  EXPECT_EQ(error("- a\n- b"),
            error_lines("expected keys with values, found a list", path("run.yaml") + ":1",
                        "write one \"key: value\" a line"));
  EXPECT_NE(error("just words").find("found \"just words\""), std::string::npos);
}

TEST_F(Layers, RefusesBadOverrides) {
  EXPECT_EQ(
      error("", {"train.epochs"}),
      error_lines("an override without \"=\"", "--set train.epochs", "write --set KEY=VALUE"));
  for (const char* const text : {"=1", ".a=1", "a.=1", "a..b=1", ".=1"}) {
    EXPECT_EQ(error("", {text}),
              error_lines("an override with an empty part in its key", std::string("--set ") + text,
                          "write the key as the files nest it: --set group.key=value"));
  }
  EXPECT_NE(error("", {"a=b: c: d"}).find("not valid YAML"), std::string::npos);
  EXPECT_NE(error("", {"a=\xFF"}).find("not UTF-8 text"), std::string::npos);
  std::string deep = "a";
  for (int i = 0; i < 100000; ++i) deep += ".a";
  EXPECT_NE(error("", {deep + "=1"}).find("nested deeper than 50 levels"), std::string::npos);
}

}  // namespace rubric::config::layers_test
