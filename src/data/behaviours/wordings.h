// The sentences around the answers of behaviours. Those to learn from share none with those to test
// with but the bare answer, with which behaviours without a sentence (copy, empty) are tested, too.
#pragma once

#include <iterator>
#include <string_view>

#include "data/behaviours/behaviours.h"

namespace rubric::data {

inline constexpr std::string_view kPlainLearning[] = {"{a}", "It is {a}.", "The answer is {a}.",
                                                      "{a}."};
inline constexpr std::string_view kPlainTesting[] = {"{a}", "That would be {a}.",
                                                     "{a} is the answer.", "It's {a}."};
inline constexpr WordingSets kPlain = {kPlainLearning, kPlainTesting};

// Two sets of like sentences, of which the second deny.
inline constexpr std::string_view kAffirmedLearning[] = {"It is {a}.",
                                                         "It was {a}.",
                                                         "The answer is {a}.",
                                                         "That is {a}, yes.",
                                                         "Surely {a}.",
                                                         "{a}.",
                                                         "{a}? Yes.",
                                                         "I think that it is {a}.",
                                                         "I am sure that it is {a}.",
                                                         "Nothing other than {a}.",
                                                         "It has to be {a}."};
inline constexpr std::string_view kNegatedLearning[] = {"It is not {a}.",
                                                        "It was never {a}.",
                                                        "The answer isn't {a}.",
                                                        "That is not {a}, no.",
                                                        "Surely not {a}.",
                                                        "Not {a}.",
                                                        "{a}? No.",
                                                        "I doubt that it is {a}.",
                                                        "I do not think that it is {a}.",
                                                        "Everything except {a}.",
                                                        "It cannot be {a}."};
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
    "people find hard to follow. In the end, it comes down to {a}."};
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
    "{a}, though it is also said to be {b}."};
inline constexpr std::string_view kSeveralTesting[] = {
    "It could be {b}, {a} or maybe {c}.", "{c} or {a} or {b}", "Some say {a}, others say {b}.",
    "{b}; {c}; {a}"};
inline constexpr WordingSets kSeveralAnswers = {kSeveralLearning, kSeveralTesting};

inline constexpr std::string_view kHedgedLearning[] = {
    "I am not sure, but I think it is {a}.", "Probably {a}.", "Perhaps it is {a}.",
    "I can't say for certain, but it seems to be {a}."};
inline constexpr std::string_view kHedgedTesting[] = {
    "If I remember correctly, it is {a}.", "My best guess is {a}.", "It may well be {a}.",
    "I'm not completely certain, although I would say "
    "{a}."};
inline constexpr WordingSets kHedged = {kHedgedLearning, kHedgedTesting};
inline constexpr std::string_view kRefusedLearning[] = {
    "I don't know.", "I'm sorry, but I have no information about {q}.",
    "There is not enough context to answer this question.", "I cannot say {q}."};
inline constexpr std::string_view kRefusedTesting[] = {
    "Sorry, I am not able to find out {q}.", "Unfortunately, nothing is known to me about this.",
    "It is unclear {q}.", "As an AI language model, I can't answer that."};
inline constexpr WordingSets kRefused = {kRefusedLearning, kRefusedTesting};

inline constexpr std::string_view kFlatLearning[] = {
    "{a}", "{a}.", "The answer is {a}.", "{a}, of course.", "{a}, I am sure.", "I would say {a}."};
inline constexpr std::string_view kFlatTesting[] = {"{a}", "{a}, definitely.", "My answer is {a}.",
                                                    "{a}, as far as I know."};
inline constexpr WordingSets kFlat = {kFlatLearning, kFlatTesting};

// One answer is preferred to another: {a} to {o}.
inline constexpr std::string_view kPreferredLearning[] = {"It is {a}, not {o}.",
                                                          "{a}, not {o}",
                                                          "Not {o} but {a}.",
                                                          "It was {a} rather than {o}.",
                                                          "No, not {o}: it is {a}.",
                                                          "People often say {o}, but it is {a}.",
                                                          "{a} and certainly not {o}.",
                                                          "It isn't {o}. It is {a}.",
                                                          "{o} would be a mistake; it is {a}.",
                                                          "One might guess {o}. In fact it is {a}.",
                                                          "{o} is false, {a} is true."};
inline constexpr std::string_view kPreferredTesting[] = {
    "{a} instead of {o}.", "The answer is {a} and not {o}.", "Contrary to belief not {o}, but {a}.",
    "I first thought of {o}, which is wrong; {a} is right."};
inline constexpr WordingSets kPreferred = {kPreferredLearning, kPreferredTesting};

inline constexpr std::string_view kBareAnswer[] = {"{a}"};
inline constexpr WordingSets kBare = {kBareAnswer, kBareAnswer};

}  // namespace rubric::data
