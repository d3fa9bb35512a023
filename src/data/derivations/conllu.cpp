#include <optional>
#include <set>
#include <string_view>

#include "core/error.h"
#include "core/files/files.h"
#include "core/json/json.h"
#include "core/text/ascii.h"
#include "core/text/utf8.h"
#include "data/derivations/readers.h"

namespace rubric::data {
namespace {

constexpr const char* kForm = "scripts/parse writes the form that is read here";

std::vector<std::string_view> columns_of(std::string_view line) {
  std::vector<std::string_view> columns;
  for (size_t begin = 0; begin <= line.size();) {
    const size_t end = std::min(line.find('\t', begin), line.size());
    columns.push_back(line.substr(begin, end - begin));
    begin = end + 1;
  }
  return columns;
}

// Whether the id is that of a multiword token, "2-3", or of an empty node, "3.1".
bool is_range_or_empty_node(std::string_view id) {
  const size_t sign = id.find_first_of("-.");
  return sign != std::string_view::npos && parse_count(id.substr(0, sign)) &&
         parse_count(id.substr(sign + 1));
}

bool has_feature(std::string_view misc, std::string_view feature) {
  for (size_t begin = 0; begin <= misc.size();) {
    const size_t end = std::min(misc.find('|', begin), misc.size());
    if (misc.substr(begin, end - begin) == feature) return true;
    begin = end + 1;
  }
  return false;
}

// The value of "# KEY = value"; nullopt for another comment.
std::optional<std::string> comment_value(const std::string& line, std::string_view key) {
  const std::string start = "# " + std::string(key) + " = ";
  if (!line.starts_with(start)) return std::nullopt;
  return line.substr(start.size());
}

// Reads a block of rows with the comments that hold for it.
class SentenceReader {
 public:
  explicit SentenceReader(std::vector<ParsedSentence>& sentences) : sentences_(sentences) {}

  void read_comment(const std::string& line, const std::string& where) {
    if (const auto title = comment_value(line, "article")) {
      title_ = *title;
      sentence_.reset();
    }
    const auto sentence = comment_value(line, "sentence");
    if (!sentence) return;
    is_named_ = true;
    sentence_ = parse_count(*sentence);
    if (!sentence_) {
      throw InputError("the sentence is " + json_quote(*sentence) + ", not a number from 0", where,
                       kForm);
    }
  }

  void read_row(std::string_view line, const std::string& where) {
    constexpr size_t kColumns = 10;
    const std::vector<std::string_view> columns = columns_of(line);
    if (columns.size() != kColumns) {
      throw InputError("the row has " + std::to_string(columns.size()) + " columns, not 10", where,
                       "CoNLL-U's columns are separated by tabs");
    }
    if (is_range_or_empty_node(columns[0])) return;
    const std::optional<int64_t> number = parse_count(columns[0]), head = parse_count(columns[6]);
    if (number != static_cast<int64_t>(tokens_.size()) + 1) {
      throw InputError("the token's number is " + json_quote(columns[0]) + ", not " +
                           std::to_string(tokens_.size() + 1),
                       where, kForm);
    }
    if (!head) throw InputError("the head is " + json_quote(columns[6]), where, kForm);
    ParsedToken token{
        std::string(columns[1]), std::string(columns[4]), *head - 1, true, false, false};
    token.is_before_space = !has_feature(columns[9], "SpaceAfter=No");
    token.begins_noun_chunk = has_feature(columns[9], "NounChunk=B");
    token.is_in_noun_chunk = token.begins_noun_chunk || has_feature(columns[9], "NounChunk=I");
    const bool goes_on = !tokens_.empty() && tokens_.back().is_in_noun_chunk;
    const bool is_known =
        token.is_in_noun_chunk || columns[9].find("NounChunk=") == std::string_view::npos;
    if (!is_known || (token.is_in_noun_chunk && !token.begins_noun_chunk && !goes_on)) {
      throw InputError("the noun chunk is neither begun (NounChunk=B) nor continued (I)", where,
                       kForm);
    }
    tokens_.push_back(std::move(token));
  }

  void finish(const std::string& where) {
    if (tokens_.empty() && !is_named_) return;
    if (!title_ || !sentence_) {
      throw InputError("the sentence does not say what it is", where,
                       "put \"# article = TITLE\" and \"# sentence = N\" before it");
    }
    if (!tokens_.empty()) check_tree(where);
    const SupportingFact source{*title_, *sentence_};
    const bool goes_on = !sentences_.empty() && sentences_.back().source == source;
    if (!sources_.insert(source).second && !goes_on) {
      throw InputError("sentence " + std::to_string(source.sentence) + " of " +
                           json_quote(source.title) + " was parsed before",
                       where, "leave one of the parses out");
    }
    sentences_.push_back({source, std::move(tokens_)});
    tokens_.clear();
    is_named_ = false;
  }

 private:
  void check_tree(const std::string& where) const {
    const auto size = static_cast<int64_t>(tokens_.size());
    int64_t roots = 0;
    for (int64_t i = 0; i < size; ++i) {
      const int64_t head = tokens_[static_cast<size_t>(i)].head;
      if (head == -1) ++roots;
      if (head >= size || head == i) {
        throw InputError("the head of token " + std::to_string(i + 1) + " is " +
                             std::to_string(head + 1) + ", and the sentence has " +
                             std::to_string(size),
                         where, kForm);
      }
    }
    if (roots != 1) {
      throw InputError("the sentence has " + std::to_string(roots) + " roots, not one", where,
                       kForm);
    }
    check_heads_end(where);
  }

  // Checks that the heads lead from every token to the root.
  void check_heads_end(const std::string& where) const {
    std::vector<int64_t> seen_from(tokens_.size(), -1);  // the token whose walk passed here
    for (size_t i = 0; i < tokens_.size(); ++i) {
      const auto walk = static_cast<int64_t>(i);
      for (auto at = walk; at != -1; at = tokens_[static_cast<size_t>(at)].head) {
        int64_t& seen = seen_from[static_cast<size_t>(at)];
        if (seen == walk) {
          throw InputError("the heads from token " + std::to_string(i + 1) + " lead in a circle",
                           where, kForm);
        }
        if (seen != -1) break;  // an earlier walk continued from here
        seen = walk;
      }
    }
  }

  std::vector<ParsedSentence>& sentences_;
  std::optional<std::string> title_;
  std::optional<int64_t> sentence_;
  bool is_named_ = false;  // this block has a "# sentence"
  std::set<SupportingFact> sources_;
  std::vector<ParsedToken> tokens_;
};

}  // namespace

std::vector<ParsedSentence> read_conllu(const std::filesystem::path& file) {
  std::vector<ParsedSentence> sentences;
  SentenceReader reader(sentences);
  LineReader lines(file);
  std::string where = file.string();
  for (std::string line; lines.next(line);) {
    where = lines.where();
    if (!is_valid_utf8(line))
      throw InputError("the text is not UTF-8", where,
                       "convert it: iconv -f ENCODING -t UTF-8 FILE >NEW");
    if (line.empty()) {
      reader.finish(where);
    } else if (line[0] == '#') {
      reader.read_comment(line, where);
    } else {
      reader.read_row(line, where);
    }
  }
  reader.finish(where);
  if (sentences.empty()) throw InputError("there is no parsed sentence", file.string(), kForm);
  return sentences;
}

}  // namespace rubric::data
