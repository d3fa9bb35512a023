// The closed classes of English, its commonest verbs and their forms: what turns a question round
// where no parser is at hand. Words are given in lower case, without punctuation.
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>

namespace rubric {

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

}  // namespace rubric
