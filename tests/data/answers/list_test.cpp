#include "data/answers/list.h"

#include <gtest/gtest.h>

#include "data/answers/answer_rows.h"
#include "messages.h"
#include "temporary_folder.h"

namespace rubric::data::answers_list_test {

// What a download that broke off, or another file by mistake, gives a reader.
TEST(InputFormatList, EveryReaderRefusesWhatIsNotItsFile) {
  const TemporaryFolder folder;
  for (const InputFormat* const format : kInputFormats) {
    EXPECT_EQ(input_format(std::string(format->name), "x"), *format);
    for (const std::string& text : {std::string(), std::string(R"({"data": [{"id")"),
                                    std::string("\xFF\xFE\0\x01", 4), std::string("PK\x03\x04")}) {
      const std::string file = folder.write("torn", text);
      expect_contains(input_error([&] { read_answers(file, *format); }), file);
    }
  }
}

TEST(InputFormatList, AnExtensionTellsOneFormat) {
  for (const InputFormat* const format : kInputFormats) {
    if (format->extension.empty()) continue;
    EXPECT_EQ(input_format("", "file" + std::string(format->extension)), *format);
  }
}

}  // namespace rubric::data::answers_list_test
