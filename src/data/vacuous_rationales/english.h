// The closed classes of English, its commonest verbs and their forms: what turns a question round
// where no parser is at hand. Words are given in lower case, without punctuation.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::data {

// Whether it is one of a few.
bool is_among(std::string_view word, std::initializer_list<std::string_view> list);

bool is_wh_word(std::string_view word);       // what, which, who, …; and "whats", a common slip
bool is_determiner(std::string_view word);    // articles, possessives, quantifiers, numerals
bool is_pronoun(std::string_view word);       // that can be a whole subject: she, someone, people
bool is_personal(std::string_view word);      // pronouns that are one: I, they, there
bool is_preposition(std::string_view word);   // and particles: at, up
bool is_adverb(std::string_view word);        // that stands beside a verb: usually, not, likely
bool is_subordinator(std::string_view word);  // if, when, because: a clause ends before it
bool is_relative(std::string_view word);      // who, that, which

// What a question puts before its subject.
bool is_modal(std::string_view word);      // and what is followed by the plain form: "don't"
bool is_do(std::string_view word);         // do, does, did
bool is_be(std::string_view word);         // is, are, was, were and their negations
bool is_have(std::string_view word);       // has, have, had and their negations
bool is_auxiliary(std::string_view word);  // one of them

bool is_verb(std::string_view word);            // in its plain form, perhaps a noun as well: "work"
bool is_only_verb(std::string_view word);       // in its plain form, and hardly ever a noun: "find"
bool is_third_person(std::string_view word);    // of a known verb: "helps"
bool is_participle(std::string_view word);      // of the past: "kept"; "-ed" of any word
bool is_irregular_past(std::string_view word);  // "kept", "went", unlike its own plain form
bool is_gerund(std::string_view word);          // "keeping"

// The verb in the form that replaces "does" or "did" with its plain form.
std::string third_person(std::string_view verb);
std::string past_tense(std::string_view verb);

// A text as words that can be taken out, moved and put together again.

struct Word {
  std::string text;  // with the punctuation at it: "Then,"
  std::string form;  // lower case, without it: "then"
};

using Words = std::vector<Word>;

Words split_words(std::string_view text);  // at white space; "what's" is two words, "what is"
Words slice(const Words& words, size_t begin, size_t end);
Words slice(const Words& words, size_t begin);  // to the end
Words join_words(std::initializer_list<Words> parts);
std::string to_text(const Words& words);  // a blank between two words

// The sentences of a text, in order. "U.S.", "Dr." and the like end none.
std::vector<Words> split_sentences(const Words& words);

bool ends_in_comma(const Word& word);  // or a semicolon or colon

// The words without the marks (.?!… and quotes left open) and blanks after the last one's letters.
Words without_end_mark(Words words);

// With the first character in upper case; in lower case.
std::string capitalized(std::string_view text);
std::string uncapitalized(std::string_view text);

// Where a sentence asks.

// In front of an auxiliary: "[In] what house would …". Places in the sentence.
struct WhPhrase {
  size_t start = 0;  // of a preposition before the wh-word, else the wh-word
  size_t wh = 0;
  size_t auxiliary = 0;
};

// The last one; one at the start of a part of the sentence rather than one within.
std::optional<WhPhrase> find_phrase(const Words& sentence);

// Whether a part of the sentence begins there: behind a comma or "and".
bool begins_part(const Words& sentence, size_t at);

bool is_what(const std::string& wh);  // or "whats"

// The wh-word that is replaced where it stands: the last "what", else a "where" behind other words.
// The sentence's size where there is none.
size_t find_inside(const Words& sentence);

// Where the noun behind that "what" ends: "what sort of pain | when".
size_t end_of_noun(const Words& sentence, size_t wh);

// The subject of a question before its verb again: "would you put it" → "you would put it".

// A main clause in the order of a statement.
struct Clause {
  Words subject;
  Words predicate;    // from the auxiliary or the verb on
  size_t verb = 0;    // the main verb's place in the predicate, of "to be" the auxiliary's
  std::string plain;  // the main verb in its plain form
};

bool is_motion(std::string_view verb);  // to a place: go, heading

// Of what stands behind the auxiliary in a question: whether that is a verb at once, so that what
// was asked for is itself the subject ("What would | hide a snake").
bool lacks_subject(const Word& auxiliary, const Words& rest);

// `rest` is what stands behind the auxiliary. Nothing where the subject's end is not found.
std::optional<Clause> undo_inversion(const Word& auxiliary, const Words& rest);

// Where in the predicate the answer belongs: to what, to where, and to why, how and when.
size_t object_place(const Clause& clause);
size_t goal_or_place(const Clause& clause);
size_t end_of_main_clause(const Clause& clause);

// What stands around an answer that takes the place of a wh-phrase.

// With "in", or "to" where `verb` (in its plain form) goes there; alone where it or what it is put
// behind brings a preposition. `before` may be empty.
Words place_words(const Words& answer, const Words& before, const std::string& verb);

// To "why" with "because of", "because" or "to", to "how" with "by" where `verb` is not "feel" or
// the like; alone where it brings such a word, and to "when".
Words manner_words(const std::string& wh, const Words& answer, const std::string& verb);

// The noun of "many PEOPLE", what stands behind "how", where the answer lacks it.
Words counted_noun(const Words& phrase, const Words& answer);

// Whether the word is a "do", "doing" or "done" that the answer's own verb replaces.
bool is_replaced(const Word& word, const Word& answer);

}  // namespace rubric::data
