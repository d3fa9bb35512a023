// The fields of a request.
#include "config/request.h"

#include <gtest/gtest.h>

#include "messages.h"

namespace rubric::config::request_test {

enum class Colour { red, green };

struct Example {
  std::filesystem::path file;
  std::vector<std::string> names;
  std::string text = "hello";
  int64_t count = 3;
  std::optional<double> size;
  Colour colour = Colour::red;
  std::optional<Interval> scale;
  std::map<std::string, std::string> fields;
  bool is_loud = false;

  void visit_fields(auto& field) {
    field("file", file, "a file").input().short_as('f');
    field("name", names, "names").names();
    field("text", text, "a text");
    field("count", count, "a number").range(1, 10);
    field("size", size, "a size");
    field("colour", colour, "a colour").choices({"red", "green"});
    field("scale", scale, "from and to");
    field("field", fields, "names of fields");
    field("loud", is_loud, "loud");
  }
};

struct Request : testing::Test {
  Request() { request_.visit_fields(fields_); }
  std::string refused(const std::string& name, const Texts& values) {
    return input_error([&] { fields_.set(name, values); });
  }

  Example request_;
  RequestFields fields_;
};

TEST_F(Request, ValuesAreReadByTheTypeOfTheMember) {
  fields_.set("file", {"a.csv"});
  fields_.set("name", {"a", "b,c"});
  fields_.set("count", {"10"});
  fields_.set("size", {"0.5"});
  fields_.set("colour", {"green"});
  fields_.set("scale", {"-1:2.5"});
  fields_.set("field", {"candidate=prediction", "id=a=b"});
  fields_.set("loud", {""});
  EXPECT_EQ(request_.file, "a.csv");
  EXPECT_EQ(request_.names, (Texts{"a", "b,c"}));
  EXPECT_EQ(request_.text, "hello");
  EXPECT_EQ(request_.count, 10);
  EXPECT_EQ(request_.size, 0.5);
  EXPECT_EQ(request_.colour, Colour::green);
  EXPECT_EQ(request_.scale->low, -1);
  EXPECT_EQ(request_.scale->high, 2.5);
  EXPECT_EQ(request_.fields.at("id"), "a=b");
  EXPECT_TRUE(request_.is_loud);
}

TEST_F(Request, ValuesThatAFieldCannotHaveAreRefusedWithAdvice) {
  for (const char* const value : {"0", "11", "x", "1.5", "99999999999999999999", "1 "}) {
    expect_contains(refused("count", {value}), "give a whole number from 1 to 10");
  }
  expect_contains(refused("count", {""}), "leave --count out");
  expect_contains(refused("text", {""}), "--text is empty");
  expect_contains(refused("file", {""}), "name a file or folder");
  expect_contains(refused("size", {"much"}), "such as --size 0.05");
  expect_contains(refused("colour", {"gren"}), "green");
  for (const char* const value : {"1", "1:", ":2", "a:b", "1:nan", "1:1e200"}) {
    expect_contains(refused("scale", {value}), "--scale");
  }
  expect_contains(refused("field", {"candidate"}), "expected ours=theirs");
  expect_contains(refused("field", {"a=b", "a=c"}), "named twice");
  EXPECT_EQ(request_.count, 3);
}

TEST_F(Request, FieldsSayWhatOptionsShow) {
  std::vector<std::string> shown;
  for (const RequestField& field : fields_.all()) {
    shown.push_back(field.name + " " + field.value_name +
                    (field.text(field).empty() ? "" : "=" + field.text(field)));
  }
  EXPECT_EQ(shown, (Texts{"file FILE", "name NAME", "text NAME=hello", "count N=3", "size X",
                          "colour NAME=red", "scale LOW:HIGH", "field OURS=THEIRS", "loud "}));
  EXPECT_THROW(fields_.set("other", {"1"}), std::logic_error);
  EXPECT_THROW(fields_("text", request_.text, "twice"), std::logic_error);
}

}  // namespace rubric::config::request_test
