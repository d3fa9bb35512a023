#include "data/rationales/list.h"

#include <gtest/gtest.h>

#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::rationales_list_test {

TEST(RationaleReaderList, EveryReaderReadsOneWay) {
  for (const RationaleReader* const reader : kRationaleReaders) {
    EXPECT_NE(reader->read == nullptr, reader->read_explanation == nullptr) << reader->name;
    EXPECT_EQ(reader->add_questions == nullptr, reader->questions.empty()) << reader->name;
  }
}

// What a download that broke off, or another file by mistake, gives a reader.
TEST(RationaleReaderList, EveryReaderRefusesWhatIsNotItsFile) {
  const TemporaryFolder folder;
  for (const RationaleReader* const reader : kRationaleReaders) {
    for (const std::string& text : {std::string(), std::string(R"({"data": [{"id")"),
                                    std::string("\xFF\xFE\0\x01", 4), std::string("PK\x03\x04")}) {
      const std::string file = folder.write("torn.csv", text);
      const RationaleSource source = {std::string(reader->name), {file}, {}};
      expect_contains(input_error([&] { read_rationale_source(source); }), file);
    }
  }
}

}  // namespace rubric::data::rationales_list_test
