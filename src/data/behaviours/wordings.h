// The sentences around the answers of behaviours. Those to learn from share none with those to test
// with but the bare answer, with which behaviours without a sentence (copy, empty,
// paraphrase) are tested, too. Every fourth of those to learn from is left for tuning
// (WordingSets::of).
#pragma once

#include <iterator>
#include <string_view>

#include "data/behaviours/behaviours.h"

namespace rubric::data {

inline constexpr std::string_view kPlainLearning[] = {"{a}",
                                                      "It is {a}.",
                                                      "The answer is {a}.",
                                                      "{a}.",
                                                      "The answer to this question is {a}.",
                                                      "It was {a}.",
                                                      "I would go for {a}.",
                                                      "One would answer {a}.",
                                                      "{a}!",
                                                      "{a} it is.",
                                                      "I say {a}.",
                                                      "Put down {a}."};
inline constexpr std::string_view kPlainTesting[] = {"{a}", "That would be {a}.",
                                                     "{a} is the answer.", "It's {a}."};
inline constexpr WordingSets kPlain = {kPlainLearning, kPlainTesting};

// Two sets of like sentences, of which the second deny.
inline constexpr std::string_view kAffirmedLearning[] = {
    "It is {a}.",
    "It was {a}.",
    "The answer is {a}.",
    "That is {a}, yes.",
    "Surely {a}.",
    "{a}.",
    "{a}? Yes.",
    "I think that it is {a}.",
    "I am sure that it is {a}.",
    "Nothing other than {a}.",
    "It has to be {a}.",
    "It is true that it is {a}.",
    "{a} is right, I am glad to say.",
    "It would be right to say {a}.",
    "By all means {a}.",
    "There is no doubt that it is {a}.",
    "If you ask me, {a}.",
    "Many books say {a}, and they are right.",
    "The claim that it is {a} is true.",
    "It must have been {a}.",
    "Yes: {a}.",
    "{a} is what I would say.",
    "All agree on {a}.",
    "One might think of {a}, and one would be right.",
    "That it was {a} is well known.",
    "I know that {a} is true.",
    "It was indeed {a}.",
    "You can trust that it is {a}.",
    "{a} fits.",
    "I agree with {a}.",
    "I would bet on {a}.",
    "{a} has been confirmed.",
    "It turned out to be {a}.",
    "{a}, and rightly so.",
    "The answer {a} is accepted.",
    "Count {a} in.",
    "It happens to be {a}.",
    "Of course {a}.",
    "It is {a} by a long way.",
    "{a}, as everybody knows."};
inline constexpr std::string_view kNegatedLearning[] = {
    "It is not {a}.",
    "It was never {a}.",
    "The answer isn't {a}.",
    "That is not {a}, no.",
    "Surely not {a}.",
    "Not {a}.",
    "{a}? No.",
    "I doubt that it is {a}.",
    "I do not think that it is {a}.",
    "Everything except {a}.",
    "It cannot be {a}.",
    "It is false that it is {a}.",
    "{a} is wrong, I am afraid.",
    "It would be a mistake to say {a}.",
    "By no means {a}.",
    "There is no way that it is {a}.",
    "If you ask me, not {a}.",
    "Many books say {a}, and they are mistaken.",
    "The claim that it is {a} is untrue.",
    "It must have been something other than {a}.",
    "No: not {a}.",
    "{a} is what I would rule out.",
    "Nobody holds it to be {a}.",
    "One might think of {a}, but one would be wrong.",
    "That it was {a} is a common error.",
    "I know that {a} is false.",
    "It was hardly {a}.",
    "You cannot trust that it is {a}.",
    "{a} does not fit.",
    "I disagree with {a}.",
    "I would bet against {a}.",
    "{a} has been refuted.",
    "It turned out to be something other than {a}.",
    "{a} would be nonsense.",
    "The answer {a} is rejected.",
    "Leave {a} out.",
    "It happens not to be {a}.",
    "Of course not {a}.",
    "It is far from being {a}.",
    "{a}? Nobody believes that."};
inline constexpr std::string_view kAffirmedTesting[] = {
    "It is certainly {a}.", "Yes, it was {a}.", "The right answer is {a}.", "I believe it's {a}."};
inline constexpr std::string_view kNegatedTesting[] = {
    "It is certainly not {a}.", "No, it wasn't {a}.", "The right answer is anything but {a}.",
    "I don't believe it's {a}."};
static_assert(std::size(kAffirmedLearning) == std::size(kNegatedLearning));
static_assert(std::size(kAffirmedTesting) == std::size(kNegatedTesting));
inline constexpr WordingSets kAffirmed = {kAffirmedLearning, kAffirmedTesting};
inline constexpr WordingSets kNegated = {kNegatedLearning, kNegatedTesting};

inline constexpr std::string_view kVerboseLearning[] = {
    "You asked: {q}? According to several sources, the answer is {a}. This is often mentioned in "
    "encyclopedias, and there is broad agreement about it.",
    "That is an interesting question. When one looks into {q}, one finds that it is {a}, although "
    "the details depend on the context and on the source that is consulted.",
    "{a}. This answer comes up wherever people discuss {q}, and it has been confirmed many times "
    "in books, in newspapers and on the web.",
    "Let me explain. There are many opinions and a long history behind this topic, which many "
    "people find hard to follow. In the end, it comes down to {a}.",
    "Let us see. The answer can be found in any good library: {a}. Other things that are told "
    "about the matter take more time to check.",
    "I have looked at what is known about {q}. The reports that I have seen, old and new, all "
    "name {a}, so this is what I would go with.",
    "It is {a}. There is a lot more to tell about it, of course, because the subject has kept "
    "writers and readers busy for a very long time.",
    "Before I answer, a word of caution: not everything that is said about this is accurate. That "
    "said, when it comes to {q}, the sources point to {a}.",
    "{a} - this is what one reads in most accounts of the matter. Some of them are short, others "
    "go on for pages, and they differ only in the details.",
    "Some facts are hard to come by, this one is not. It is printed in schoolbooks and on "
    "calendars, and all of them have {a}.",
    "Such things are easily mixed up, and it took me a moment to sort them out. It is {a}, and "
    "the dates and the places fit as well.",
    "Most people who are asked {q} would have to think about it for a while. A glance at the index "
    "of a good book gives {a}.",
    "The question has come up before, in quizzes as well as in class, and each time it was "
    "settled with the same result, which is {a}.",
    "Here is what I know. It was {a}. Everything else about it, such as the circumstances and what "
    "the newspapers made of them, is less certain.",
    "According to a report that has been published, {a} is the one that was asked for. The report "
    "goes on with a description of the place and of the people who took part.",
    "Whoever wonders {q} can look into an almanac or search the web, and need not search for "
    "long. Both give {a}."};
inline constexpr std::string_view kVerboseTesting[] = {
    "Thanks for your question! As far as the records go, {a} is what you are looking for. You may "
    "want to consult a reference work for more about \"{q}\", since such questions come up often.",
    "To find out {q}, we first have to consider the background of the matter. Historians and "
    "journalists have written about it at length. Their conclusion is {a}.",
    "As an assistant I am happy to help. It is generally known to be {a}, and most people who "
    "have studied the matter would tell you the same without hesitation.",
    "In short: {a}. In more detail: the subject is documented well, there are numerous articles "
    "and films about it, and all of them come to this result in the end."};
inline constexpr WordingSets kVerbose = {kVerboseLearning, kVerboseTesting};

inline constexpr std::string_view kSeveralLearning[] = {
    "{b}, {a} or {c}",
    "Either {a} or {b}.",
    "It is {b}, or perhaps {a}.",
    "{a}, {c}, or {b}",
    "{b} / {a} / {c}",
    "There are two answers, {a} and {b}.",
    "Many people think of {b}, but many think of {a}.",
    "{a}? {b}? {c}?",
    "{a} or {b}",
    "Possibly {b}; possibly {a}.",
    "{c} | {a} | {b}",
    "1. {b} 2. {a} 3. {c}",
    "One source has {a}, another {b}.",
    "I have read {a}, and also {b}.",
    "{b} or {a}",
    "{a}/{b}",
    "{b} and {a}",
    "{a}, {b}",
    "Perhaps {a}, perhaps {b}.",
    "It is one of {a}, {b} and {c}.",
    "Whether it is {b} or {a}, I cannot tell.",
    "The answer is {a} or else {b}.",
    "Was it {a} or was it {b}?",
    "{b}. Or {a}.",
    "{a}, or was it {b}?",
    "I hesitate between {b} and {a}.",
    "Among {a}, {c} and {b}.",
    "{b}, {c}, {a}, or something like that",
    "Three come to mind: {c}, {a} and {b}.",
    "a) {b} b) {a} c) {c}",
    "* {a}\n* {b}\n* {c}",
    "My first guess is {b}, my second {a}.",
    "Accounts differ: {a} in one, {b} in another.",
    "If it is not {b}, it is {a}.",
    "It may be {a} just as well as {b}.",
    "{a}, alternatively {b}",
    "{b} [or {a}]",
    "Either {a} (or {b})",
    "{a} - {c}",
    "Options: {a}, {b}, {c}",
    "It is hard to say whether it is {a} or {b}.",
    "{a} perhaps, {b} perhaps",
    "One of these: {b}, {a}, {c}.",
    "I cannot decide: {a}, {b}.",
    "Both {a} and {b} are possible.",
    "{b} first, {a} second, {c} third",
    "{a}; or {b}",
    "My answer is {b} or {a}, I do not know which.",
    "If I had to name two, {a} and {b}.",
    "It must be {a}, {b}, or both.",
    "Probably {b}, but {a} would fit, too.",
    "There is {a}, there is {b}, and there is {c}.",
    "{a}, {b} or something else",
    "Half of them name {b}, half of them {a}.",
    "(1) {a} (2) {b}",
    "- {b}\n- {a}",
    "Answer A: {a}. Answer B: {b}.",
    "{a} as well as {b}",
    "Neither {a} nor {b} can be ruled out.",
    "It varies: sometimes {b}, sometimes {a}.",
    "{c} or {b}, unless it is {a}",
    "{a} + {b}",
    "Guess one: {b}. Guess two: {a}.",
    "In the running: {a}, {c}, {b}.",
    "You can choose {a} or {b}.",
    "{b} and {c} and {a}",
    "{a}\n{b}\n{c}",
    "Multiple answers: {b}, {a}",
    "It depends: {a} here, {b} there."};
inline constexpr std::string_view kSeveralTesting[] = {
    "It could be {b}, {a} or maybe {c}.", "{c} or {a} or {b}", "Some say {a}, others say {b}.",
    "{b}; {c}; {a}"};
inline constexpr WordingSets kSeveralAnswers = {kSeveralLearning, kSeveralTesting};

inline constexpr std::string_view kHedgedLearning[] = {
    "I am not sure, but I think it is {a}.",
    "Probably {a}.",
    "Perhaps it is {a}.",
    "I can't say for certain, but it seems to be {a}.",
    "{a}, I think, but do not rely on it.",
    "{a}, if I am not mistaken.",
    "I guess {a}.",
    "It is {a}, I suppose.",
    "{a}, probably."};
inline constexpr std::string_view kHedgedTesting[] = {
    "If I remember correctly, it is {a}.", "My best guess is {a}.", "It may well be {a}.",
    "I'm not completely certain, although I would say "
    "{a}."};
inline constexpr WordingSets kHedged = {kHedgedLearning, kHedgedTesting};
inline constexpr std::string_view kRefusedLearning[] = {
    "I don't know.",
    "I'm sorry, but I have no information about {q}.",
    "There is not enough context to answer this question.",
    "I cannot say {q}.",
    "No idea.",
    "I would have to guess, so I say nothing.",
    "The question cannot be answered with what is given.",
    "I have no access to current data, so I don't know {q}.",
    "Nobody knows {q}.",
    "Please ask somebody else."};
inline constexpr std::string_view kRefusedTesting[] = {
    "Sorry, I am not able to find out {q}.", "Unfortunately, nothing is known to me about this.",
    "It is unclear {q}.", "As an AI language model, I can't answer that."};
inline constexpr WordingSets kRefused = {kRefusedLearning, kRefusedTesting};

// Texts without an answer. White space is to test with alone.
inline constexpr std::string_view kNoAnswerLearning[] = {
    "N/A",      "I don't know.",  "I have no idea.",  "No answer.",
    "No clue.", "Not available.", "I cannot answer.", "I can't say."};
inline constexpr std::string_view kNoAnswerTesting[] = {" ",
                                                        "\t\n",
                                                        "\u00a0",
                                                        "\u200b",
                                                        "Cannot be determined.",
                                                        "I\u2019m not sure.",
                                                        "unanswerable",
                                                        "Not enough information.",
                                                        "I do not know the answer"};
inline constexpr WordingSets kWithoutAnswer = {kNoAnswerLearning, kNoAnswerTesting};

inline constexpr std::string_view kFlatLearning[] = {"{a}",
                                                     "{a}.",
                                                     "The answer is {a}.",
                                                     "{a}, of course.",
                                                     "{a}, I am sure.",
                                                     "I would say {a}.",
                                                     "{a}, it is so.",
                                                     "{a}, that is what the books say.",
                                                     "{a}, without a doubt.",
                                                     "I think {a}.",
                                                     "{a}, as was said before.",
                                                     "{a}, says my teacher, who has read about it.",
                                                     "{a}, as far as the books go.",
                                                     "{a}, which is easy to check.",
                                                     "{a}!"};
inline constexpr std::string_view kFlatTesting[] = {"{a}", "{a}, definitely.", "My answer is {a}.",
                                                    "{a}, as far as I know."};
inline constexpr WordingSets kFlat = {kFlatLearning, kFlatTesting};

// One answer is preferred to another: {a} to {o}.
inline constexpr std::string_view kPreferredLearning[] = {
    "It is {a}, not {o}.",
    "{a}, not {o}",
    "Not {o} but {a}.",
    "It was {a} rather than {o}.",
    "No, not {o}: it is {a}.",
    "People often say {o}, but it is {a}.",
    "{a} and certainly not {o}.",
    "It isn't {o}. It is {a}.",
    "{o} would be a mistake; it is {a}.",
    "One might guess {o}. In fact it is {a}.",
    "{o} is false, {a} is true.",
    "Some wrongly say {o}; it is {a}.",
    "It is {a}, although many believe {o}.",
    "It was not {o}, it was {a}.",
    "{a}. {o} is a common error.",
    "Never {o}, always {a}.",
    "While {o} is often named, the answer is {a}.",
    "Not {o}; the answer is {a}.",
    "{o}? No, {a}.",
    "You may expect {o}, yet it is {a}.",
    "{o} is what most would say, but the truth is {a}.",
    "{o} was the first guess of many, {a} is what it is.",
    "Forget {o}: {a}.",
    "It has nothing to do with {o}; it is {a}.",
    "{o} does not count, {a} does.",
    "They said {o}, but they meant {a}.",
    "I would not say {o}; I would say {a}.",
    "Strike {o}, write {a}.",
    "{a} it is, {o} it is not.",
    "The myth says {o}, the facts say {a}.",
    "{o} is out, {a} is in."};
inline constexpr std::string_view kPreferredTesting[] = {
    "{a} instead of {o}.", "The answer is {a} and not {o}.", "Contrary to belief not {o}, but {a}.",
    "I first thought of {o}, which is wrong; {a} is right."};
inline constexpr WordingSets kPreferred = {kPreferredLearning, kPreferredTesting};

// {a} is given as the answer; {o} is only mentioned.
inline constexpr std::string_view kAsidesLearning[] = {
    "It is {a}; many draw comparisons with {o}.",
    "{a}, long before {o}.",
    "It was {a} at a time when {o} was unknown.",
    "{a} ({o} is another story)",
    "While {o} stood by, it was {a}.",
    "{a}, without any link to {o}.",
    "It is {a}, well ahead of {o}.",
    "It was {a}, as those who wrote about {o} confirm.",
    "{a}. About {o} there is another article.",
    "After {o} had failed, it was {a}.",
    "It was {a}; {o} had no part in it.",
    "The answer is {a}, while {o} is the answer to another question.",
    "It was {a}, and nobody spoke of {o} then.",
    "{a}; nobody, by the way, asked about {o}.",
    "People who like {o} also know that it is {a}.",
    "{a}. Compare {o}.",
    "As a fan of {o} I know that it is {a}.",
    "Years before anybody had heard of {o}, it was {a}.",
    "{a}, and {o} heard of it later.",
    "It was {a}, whatever {o} may have to do with it.",
    "It is {a}, a rival of {o}.",
    "Without {o} it would be hard to explain, but it is {a}.",
    "In the shadow of {o}, it was {a}.",
    "{a}. That {o} is better known does not matter here.",
    "Since {o} was busy elsewhere, it was {a}.",
    "It was {a}, as I learned from a book about {o}.",
    "About {o} I would have to read more; this one is {a}.",
    "{a} was the one, and {o} only watched.",
    "{a} was chosen, ahead of {o}.",
    "{a}, whose name is as well known as that of {o}."};
inline constexpr std::string_view kAsidesTesting[] = {
    "The answer is {a}, often mentioned together with {o}.",
    "Although more has been written about {o}, it is {a}.",
    "The role of {o} in this was a minor one; it was {a}.",
    "It is {a}. You may also have read about {o} in this context."};
inline constexpr WordingSets kAsides = {kAsidesLearning, kAsidesTesting};

inline constexpr std::string_view kBareAnswer[] = {"{a}"};
inline constexpr WordingSets kBare = {kBareAnswer, kBareAnswer};

}  // namespace rubric::data
