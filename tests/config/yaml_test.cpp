#include "config/yaml.h"

#include "config/example_config.h"

namespace rubric::config::yaml_test {

std::string parse_error(const std::string& text) {
  return input_error([&] { parse_yaml(text, "f.yaml"); });
}

// One line per node: what describe() says, at which line.
std::string outline(const Yaml& node, const std::string& indentation = "") {
  std::string text = node.describe() + " @" + std::to_string(node.line) + "\n";
  for (const Yaml& item : node.items)
    text += indentation + "- " + outline(item, indentation + "  ");
  for (const auto& [key, value] : node.members) {
    text += indentation + key + ": " + outline(value, indentation + "  ");
  }
  return text;
}

TEST(Yaml, BuildsATreeWithLines) {
  const Yaml root = parse_yaml(
      "# run\n"
      "train:\n"
      "  epochs: 3\n"
      "  name: \"3\"\n"
      "  single: 'it''s'\n"
      "  nothing:\n"
      "  tilde: ~\n"
      "list: [a, 2,\n"
      "       {b: c}]\n"
      "block: |\n"
      "  x\n"
      "  y\n"
      "lines:\n"
      "  - é\n"
      "  - [ ]\n",
      "f.yaml");
  EXPECT_EQ(outline(root),
            "a map of keys @2\n"
            "train: a map of keys @2\n"
            "  epochs: \"3\" @3\n"
            "  name: the string \"3\" @4\n"
            "  single: the string \"it's\" @5\n"
            "  nothing: nothing @6\n"
            "  tilde: nothing @7\n"
            "list: a list @8\n"
            "  - \"a\" @8\n"
            "  - \"2\" @8\n"
            "  - a map of keys @9\n"
            "    b: \"c\" @9\n"
            "block: the string \"x\\ny\\n\" @10\n"
            "lines: a list @13\n"
            "  - \"é\" @14\n"
            "  - a list @15\n");
  EXPECT_EQ(root.find("train")->find("epochs")->where(), "f.yaml:3");
  EXPECT_EQ(root.find("epochs"), nullptr);
  EXPECT_EQ(root.find("list")->find("a"), nullptr);
}

TEST(Yaml, TakesEmptyTexts) {
  for (const char* const text : {"", "\n\n", "# only a comment", "---\n", "--- \n...\n", "~"}) {
    EXPECT_EQ(parse_yaml(text, "f.yaml").kind, Yaml::Kind::null) << text;
  }
  EXPECT_EQ(parse_yaml("", "f.yaml").where(), "f.yaml");
}

TEST(Yaml, TakesByteOrderMarkAndWindowsLines) {
  const Yaml root = parse_yaml(
      "\xEF\xBB\xBF"
      "a: 1\r\nb: x\r\n",
      "f.yaml");
  EXPECT_EQ(outline(root), "a map of keys @1\na: \"1\" @1\nb: \"x\" @2\n");
}

TEST(Yaml, LeavesOutLinesWhenAsked) {
  const Yaml root = parse_yaml("[drop]", "--set a=[drop]", false);
  EXPECT_EQ(root.items.at(0).where(), "--set a=[drop]");
  EXPECT_EQ(input_error([] { parse_yaml("b: c: d", "--set a=b: c: d", false); }),
            error_lines("not valid YAML: illegal map value", "--set a=b: c: d",
                        "correct it there or before"));
}

TEST(Yaml, RefusesWhatIsAmbiguous) {
  EXPECT_EQ(parse_error("a: 1\nb: 2\na: 3\n"),
            error_lines("the key \"a\" occurs twice", "f.yaml:3",
                        "remove one of them (the first is on line 1)"));
  EXPECT_EQ(parse_error("x: {a: 1, \"a\": 2}"),
            error_lines("the key \"a\" occurs twice", "f.yaml:1",
                        "remove one of them (the first is on line 1)"));
  EXPECT_EQ(parse_error("a: 1\n---\nb: 2\n"),
            error_lines("a second YAML document", "f.yaml:2", "remove the line with ---"));
  EXPECT_EQ(parse_error("a: 1\n? [b]\n: 2"),
            error_lines("a list or map as a key", "f.yaml:2",
                        "use a plain word as the key, and close every [ and {"));
  EXPECT_EQ(parse_error("a: 1\n{b: 1}: 2"),
            error_lines("a list or map as a key", "f.yaml:2",
                        "use a plain word as the key, and close every [ and {"));
  EXPECT_EQ(parse_error("{a: 1, : 2}"),
            error_lines("an empty key", "f.yaml:1", "write the key before the colon"));
  EXPECT_EQ(parse_error("a: 1\nb: !!int 3\n"),
            error_lines("tags are not supported: tag:yaml.org,2002:int", "f.yaml:2",
                        "remove the tag; quote a value to make it a string"));
  EXPECT_EQ(parse_error("a: !x {}"),
            error_lines("tags are not supported: !x", "f.yaml:1",
                        "remove the tag; quote a value to make it a string"));
}

TEST(Yaml, RefusesAnchorsSoThatNoAliasCanGrow) {
  std::string bomb = "a: &a [x, x]\n";
  for (char c = 'b'; c <= 'z'; ++c) {
    const char before = static_cast<char>(c - 1);
    bomb += std::string(1, c) + ": &" + c + " [*" + before + ", *" + before + "]\n";
  }
  EXPECT_EQ(parse_error(bomb), error_lines("anchors are not supported: &a", "f.yaml:1",
                                           "write the value out where it is needed"));
  EXPECT_NE(parse_error("a: *b"), "accepted");
}

TEST(Yaml, BoundsNesting) {
  const auto nested = [](const std::string& open, size_t levels) {
    std::string text;
    for (size_t i = 0; i < levels; ++i) text += open;
    return text;
  };
  const std::string too_deep = error_lines("nested deeper than 50 levels", "f.yaml:1");
  for (const char* const open : {"[", "{a: ", "- ", "? ", "[a: ", "{", "[[{"}) {
    const std::string message = parse_error(nested(open, 100000));
    EXPECT_TRUE(message == too_deep || message.find("as a key") != std::string::npos) << open;
  }
  EXPECT_EQ(parse_error(nested("[", 51) + nested("]", 51)), too_deep);
  EXPECT_EQ(parse_yaml(nested("[", 50) + nested("]", 50), "f.yaml").kind, Yaml::Kind::list);
}

TEST(Yaml, BoundsSizes) {
  std::string keys;
  for (int i = 0; i <= 1000; ++i) keys += "key" + std::to_string(i) + ": 1\n";
  EXPECT_EQ(parse_error(keys), error_lines("a map with more than 1000 keys", "f.yaml:1001"));
  EXPECT_EQ(
      parse_error(std::string(kLargestYaml + 1, ' ')),
      error_lines("larger than 1048576 bytes", "f.yaml", "check that this is the file you meant"));
}

TEST(Yaml, RefusesWhatIsNotText) {
  const std::string to_do = "save the file as UTF-8";
  EXPECT_EQ(parse_error("a: 1\nb: \xFF\xFE\n"), error_lines("not UTF-8 text", "f.yaml:2", to_do));
  EXPECT_EQ(parse_error(std::string("\x7F"
                                    "ELF\x02\x01\0\0",
                                    8)),
            error_lines("not UTF-8 text", "f.yaml:1", to_do));
  EXPECT_EQ(parse_error(std::string("\xFF\xFE"
                                    "a\0:\0",
                                    6)),  // UTF-16
            error_lines("not UTF-8 text", "f.yaml:1", to_do));
  EXPECT_EQ(parse_error("a: \"x\\0y\""),
            error_lines("a string with a zero byte", "f.yaml:1", "remove \\0"));
  EXPECT_NE(parse_error("a: \"\\ud800\"").find("invalid unicode"), std::string::npos);
}

TEST(Yaml, RefusesTabsAsIndentation) {
  const std::string to_do = "indent with spaces; inside a quoted string write \\t";
  EXPECT_EQ(parse_error("a:\n\tb: 1\n"),
            error_lines("a tab in the indentation", "f.yaml:2", to_do));
  EXPECT_EQ(parse_error("a:\n  b: 1\n \tc: 2\n"),
            error_lines("a tab in the indentation", "f.yaml:3", to_do));
  EXPECT_EQ(parse_yaml("a: 1\t# tab before a comment", "f.yaml").find("a")->text, "1");
}

TEST(Yaml, SaysWhereTheSyntaxIsWrong) {
  EXPECT_EQ(parse_error("a: 1\nb: c: d\n"), error_lines("not valid YAML: illegal map value",
                                                        "f.yaml:2", "correct it there or before"));
  EXPECT_NE(parse_error("a: [${X}]").find("inside [ ] and { } a variable needs quotes"),
            std::string::npos);
}

TEST(Yaml, DescribesLongScalarsBriefly) {
  std::string text(59, 'x');
  for (int i = 0; i < 10; ++i) text += "é";
  EXPECT_EQ(parse_yaml(text, "f.yaml").describe(), "\"" + std::string(59, 'x') + "…\"");
}

// Every cut and every changed byte of a valid text gives a tree or an InputError.
TEST(Yaml, SurvivesDamage) {
  const std::string text =
      "include: base.yaml\ntrain: {epochs: 3, name: \"x\\n\\u00e9\"}\nlist:\n  - a\n  - 'b'\n"
      "? k\n: |\n  block\n  text\n# end\n";
  const std::string bytes = "\t\n []{}:,#&*!|>'\"%@`?-~\\0\x80\xff";
  int trees = 0, errors = 0;
  const auto attempt = [&](const std::string& damaged) {
    try {
      parse_yaml(damaged, "f.yaml");
      ++trees;
    } catch (const InputError&) {
      ++errors;
    }
  };
  for (size_t i = 0; i < text.size(); ++i) {
    attempt(text.substr(0, i));
    attempt(text.substr(i));
    for (const char byte : bytes) {
      std::string changed = text, longer = text;
      changed[i] = byte;
      longer.insert(i, 3, byte);
      attempt(changed);
      attempt(longer);
    }
  }
  EXPECT_GT(trees, 100);
  EXPECT_GT(errors, 100);
}

class YamlFile : public ConfigFolder {};

TEST_F(YamlFile, NamesTheFile) {
  EXPECT_EQ(parse_yaml_file(write("a.yaml", "x: 1")).find("x")->where(), path("a.yaml") + ":1");
  EXPECT_EQ(input_error([&] { parse_yaml_file(path("none.yaml")); }),
            error_lines("no such file", path("none.yaml"), "check the path"));
  EXPECT_NE(input_error([&] { parse_yaml_file(folder_.path()); }).find("a directory"),
            std::string::npos);
  EXPECT_EQ(input_error([] { parse_yaml_file("/dev/zero"); }),
            error_lines("not a regular file", "/dev/zero", "name a file of YAML"));
  write("big.yaml", "");
  std::filesystem::resize_file(path("big.yaml"), uintmax_t{1} << 40);  // sparse
  EXPECT_NE(input_error([&] { parse_yaml_file(path("big.yaml")); }).find("larger than"),
            std::string::npos);
}

}  // namespace rubric::config::yaml_test
