#include "data/multiple_choice/list.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::multiple_choice_list_test {

// What a download that broke off, or another file by mistake, gives a reader.
TEST(ChoiceReaderList, EveryReaderRefusesWhatIsNotItsFile) {
  const TemporaryFolder folder;
  for (const ChoiceReader* const reader : kChoiceReaders) {
    for (const std::string& text : {std::string(), std::string(R"({"data": [{"id")"),
                                    std::string("\xFF\xFE\0\x01", 4), std::string("PK\x03\x04")}) {
      // A path may name a file with others beside it, or a folder.
      const std::string file = folder.write("torn.txt", text), name = std::string(reader->name);
      folder.write("torn.ans", text);
      expect_contains(input_error([&] { reader->read(file); }), "torn");
      folder.write(name + "/torn.txt", text);
      expect_contains(input_error([&] { reader->read(folder.path() / name); }), name);
    }
    EXPECT_NE(std::string(reader->files), "");
  }
}

}  // namespace rubric::data::multiple_choice_list_test
