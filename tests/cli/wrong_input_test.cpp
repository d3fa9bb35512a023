// Files and options of kinds that any command may be given wrong: each message names the place, and
// what to do.
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "cli/run_program.h"

namespace rubric::cli::wrong_input_test {

struct WrongInput : testing::Test {
  // Runs a command line, in which @NAME is a file of the folder.
  Outcome run_line(const std::string& line) const {
    std::vector<std::string> words = {"rubric"};
    std::istringstream stream(line);
    for (std::string word; stream >> word;) {
      const size_t at = word.find('@');
      if (at != word.npos) word = word.substr(0, at) + folder_.file(word.substr(at + 1));
      words.push_back(word);
    }
    return run(words);
  }
  TemporaryFolder folder_;
};

TEST_F(WrongInput, EveryMessageSaysWhereAndWhatToDo) {
  folder_.write("rows.csv",
                "id,question,reference,candidate,human,f1\n1,q,a,b,1,0.5\n2,r,c,c,0,1\n");
  folder_.write("ragged.csv", "reference,candidate,f1\na,b,1\nc,d\n");
  folder_.write("wide.csv", "reference,candidate,f1\na,b,1\nc,d,e,1\n");
  folder_.write("quote.csv", "reference,candidate\na,\"b\nc,d\n");
  folder_.write("cut.jsonl", "{\"reference\": \"a\", \"candidate\": \"b\"}\n{\"reference\": \"a");
  folder_.write("cut.json", "[{\"reference\": \"a\", \"candidate\": \"b\"}, {\"ref");
  folder_.write("wrong.json", "{\"a\": [1, 2,, 3]}");
  folder_.write("text.txt", "hello world\n");
  folder_.write("empty.jsonl", "");
  folder_.write("some.jsonl", "{\"id\": 1, \"scores\": {\"f1\": 1}}\n{\"scores\": {\"f1\": 0}}\n");
  folder_.write("folder/x", "");
  const std::string directory = "a directory, where a file is needed", cut = "cut off";
  const struct {
    const char* line;
    std::vector<std::string> parts;
  } kCases[] = {
      {"score f1 --input @ragged.csv", {"ragged.csv:3", "add the fields that it lacks", cut}},
      {"score f1 --input @wide.csv", {"wide.csv:3", "quote a field that holds the separator"}},
      {"score f1 --input @quote.csv", {"quote.csv:2", cut}},
      {"score f1 --input @cut.jsonl", {"cut.jsonl:2", "the text ends there: if it was cut off"}},
      {"score f1 --input @cut.json", {"cut.json", "the text ends there: if it was cut off"}},
      {"score f1 --input @empty.jsonl", {"the file has no rows", "name a file with rows"}},
      {"score f1 --input @folder", {directory, "name a file in it"}},
      {"score f1 --input @nothing.csv", {"no such file", "check the path"}},
      {"score f1,f1 --input @rows.csv", {"is named twice", "name it once"}},
      {"score em --input @rows.csv --join @rows.csv --on id=nope",
       {"\"nope\" is missing", "rename one of the fields: \"id\", "}},
      {"split --input @rows.csv --shares train=0.5,dev=0.2 --output @parts",
       {"add up to 0.7000", "--shares train=0.6,dev=0.2,test=0.2"}},
      {"split --input @rows.csv --by nope --shares a=0.5,b=0.5 --output @parts", {"\"nope\""}},
      {"compare @folder @rows.csv --metric f1", {directory, "name a file in it"}},
      {"choose --input @some.jsonl --budget 1 --output @sheet.csv",
       {"1 row has no \"id\"", "some.jsonl:2", "--field id=FIELD"}},
      {"estimate --all @some.jsonl --labels @rows.csv --human human", {"some.jsonl:2", "ids"}},
      {"evaluate chie --ledger @rows.csv", {"rows.csv:1", "this is no ledger", "rubric judge"}},
      {"evaluate chie --ledger @some.jsonl", {"some.jsonl:1", "this is no ledger", "rubric judge"}},
      {"evaluate chie --ledger @empty.jsonl", {"the ledger is empty", "rubric judge"}},
      {"evaluate chie --ledger @cut.jsonl", {"this is no ledger"}},
      {"evaluate chie", {"--ledger is missing", "add --ledger FILE: "}},
      {"evaluate agreement --input @rows.csv --human human --ledger @rows.csv", {"no ledger"}},
      {"evaluate r4c --gold @text.txt --predictions @text.txt",
       {"text.txt", "this is no JSON", "name a file of JSON"}},
      {"evaluate r4c --gold @wrong.json --predictions @text.txt",
       {"column 13", "correct it there"}},
      {"evaluate r4c --gold @empty.jsonl --predictions @text.txt", {"there is nothing in it"}},
      {"evaluate mocha --data samples/mocha/dev.json --scores @text.txt", {"this is no JSON"}},
      {"derive derivations --input @rows.csv --text nope --output @d.json", {"\"nope\""}},
      {"describe mocha @folder", {directory}},
  };
  for (const auto& [line, parts] : kCases) {
    SCOPED_TRACE(line);
    expect_message(run_line(line), 2, parts);
  }
}

}  // namespace rubric::cli::wrong_input_test
