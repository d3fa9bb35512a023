// Rules of English for turning a question and its answer into a statement without a parser: word
// classes and verb forms, splitting into words and sentences, finding the wh-phrase, undoing
// inversion, and placing the answer. Functions on single words expect lower case without
// punctuation.
#pragma once

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rubric::data {

bool is_among(std::string_view word, std::initializer_list<std::string_view> list);

// what, which, who, …; and "whats", a common misspelling.
bool is_wh_word(std::string_view word);
bool is_determiner(std::string_view word);    // articles, possessives, quantifiers, numerals
bool is_pronoun(std::string_view word);       // can be a whole subject: she, someone, people
bool is_personal(std::string_view word);      // is always a whole subject: I, they, there
bool is_preposition(std::string_view word);   // and particles: at, up
bool is_adverb(std::string_view word);        // can modify a verb: usually, not, likely
bool is_subordinator(std::string_view word);  // if, when, because: starts a new clause
bool is_relative(std::string_view word);      // who, that, which

// Words that precede the subject in a question.
bool is_modal(std::string_view word);      // and words followed by the plain form: "don't"
bool is_do(std::string_view word);         // do, does, did
bool is_be(std::string_view word);         // is, are, was, were and their negations
bool is_have(std::string_view word);       // has, have, had and their negations
bool is_auxiliary(std::string_view word);  // any of these

bool is_verb(std::string_view word);            // plain form, may also be a noun: "work"
bool is_only_verb(std::string_view word);       // plain form, rarely a noun: "find"
bool is_third_person(std::string_view word);    // third person of a known verb: "helps"
bool is_participle(std::string_view word);      // past participle: "kept"; any word in "-ed"
bool is_irregular_past(std::string_view word);  // "kept", "went": differs from the plain form
bool is_gerund(std::string_view word);          // "keeping"

// The form of the verb that replaces "does" or "did" and the plain form.
std::string third_person(std::string_view verb);
std::string past_tense(std::string_view verb);

// A word of a text.
struct Word {
  std::string text;  // with its punctuation: "Then,"
  std::string form;  // lower case without punctuation: "then"
};

using Words = std::vector<Word>;

Words split_words(std::string_view text);  // at white space; "what's" becomes "what is"
Words slice(const Words& words, size_t begin, size_t end);
Words slice(const Words& words, size_t begin);  // to the end
Words join_words(std::initializer_list<Words> parts);
std::string to_text(const Words& words);  // joined by spaces

// Splits a text into sentences. "U.S.", "Dr." and the like do not end a sentence.
std::vector<Words> split_sentences(const Words& words);

bool ends_in_comma(const Word& word);  // or a semicolon or colon

// The words without end marks (.?!…), unmatched quotes and spaces after the last word.
Words without_end_mark(Words words);

// With the first character in upper case, or in lower case.
std::string capitalized(std::string_view text);
std::string uncapitalized(std::string_view text);

// A wh-phrase in front of an auxiliary, "[In] what house would …", as word indices in the sentence.
struct WhPhrase {
  size_t start = 0;  // the preposition before the wh-word, else the wh-word
  size_t wh = 0;
  size_t auxiliary = 0;
};

// Finds the last wh-phrase, preferring one at the start of a part of the sentence.
std::optional<WhPhrase> find_phrase(const Words& sentence);

// Whether a part of the sentence begins there: after a comma or "and".
bool begins_part(const Words& sentence, size_t at);

bool is_what(const std::string& wh);  // or "whats"

// The index of the wh-word that the answer replaces in place: the last "what", else a "where" after
// other words. The sentence's size if there is none.
size_t find_inside(const Words& sentence);

// The end of the noun phrase after that "what": "what sort of pain | when".
size_t end_of_noun(const Words& sentence, size_t wh);

// A main clause in statement order: "would you put it" → "you would put it".
struct Clause {
  Words subject;
  Words predicate;    // starts with the auxiliary or the verb
  size_t verb = 0;    // index of the main verb in the predicate; for "to be" of the auxiliary
  std::string plain;  // the plain form of the main verb
};

bool is_motion(std::string_view verb);  // motion to a place: go, heading

// Whether `rest`, the words after the auxiliary of a question, begins with a verb, so that the
// wh-phrase is the subject ("What would | hide a snake").
bool lacks_subject(const Word& auxiliary, const Words& rest);

// `rest` is the words after the auxiliary. nullopt when the end of the subject is not found.
std::optional<Clause> undo_inversion(const Word& auxiliary, const Words& rest);

// The position in the predicate of an answer to "what", to "where", and to "why", "how" and "when".
size_t object_place(const Clause& clause);
size_t goal_or_place(const Clause& clause);
size_t end_of_main_clause(const Clause& clause);

// The answer with the words it needs in place of a wh-phrase.

// An answer to "where": adds "in", or "to" if `verb` (plain form) is a verb of motion; adds nothing
// if the answer or the words `before` it have a preposition. `before` may be empty.
Words place_words(const Words& answer, const Words& before, const std::string& verb);

// An answer to "why" gets "because of", "because" or "to", one to "how" gets "by" unless `verb` is
// "feel" or the like; adds nothing if the answer has such a word, and for "when".
Words manner_words(const std::string& wh, const Words& answer, const std::string& verb);

// The noun of "how many PEOPLE" (`phrase` follows "how") if the answer lacks it.
Words counted_noun(const Words& phrase, const Words& answer);

// Whether the word is a "do", "doing" or "done" that the answer's verb replaces.
bool is_replaced(const Word& word, const Word& answer);

}  // namespace rubric::data
