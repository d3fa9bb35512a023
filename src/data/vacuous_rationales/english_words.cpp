#include <algorithm>
#include <array>
#include <string_view>
#include <unordered_set>

#include "data/vacuous_rationales/english.h"

namespace rubric::data {

namespace {

// The commonest English verbs whose past is not formed by "-ed".
struct IrregularVerb {
  std::string_view plain, past, participle;
};

constexpr std::array kIrregularVerbs = {
    IrregularVerb{"be", "was", "been"},
    IrregularVerb{"become", "became", "become"},
    IrregularVerb{"begin", "began", "begun"},
    IrregularVerb{"bend", "bent", "bent"},
    IrregularVerb{"bite", "bit", "bitten"},
    IrregularVerb{"bleed", "bled", "bled"},
    IrregularVerb{"blow", "blew", "blown"},
    IrregularVerb{"break", "broke", "broken"},
    IrregularVerb{"bring", "brought", "brought"},
    IrregularVerb{"build", "built", "built"},
    IrregularVerb{"buy", "bought", "bought"},
    IrregularVerb{"catch", "caught", "caught"},
    IrregularVerb{"choose", "chose", "chosen"},
    IrregularVerb{"cling", "clung", "clung"},
    IrregularVerb{"come", "came", "come"},
    IrregularVerb{"creep", "crept", "crept"},
    IrregularVerb{"cut", "cut", "cut"},
    IrregularVerb{"deal", "dealt", "dealt"},
    IrregularVerb{"dig", "dug", "dug"},
    IrregularVerb{"do", "did", "done"},
    IrregularVerb{"draw", "drew", "drawn"},
    IrregularVerb{"drink", "drank", "drunk"},
    IrregularVerb{"drive", "drove", "driven"},
    IrregularVerb{"eat", "ate", "eaten"},
    IrregularVerb{"fall", "fell", "fallen"},
    IrregularVerb{"feed", "fed", "fed"},
    IrregularVerb{"feel", "felt", "felt"},
    IrregularVerb{"fight", "fought", "fought"},
    IrregularVerb{"find", "found", "found"},
    IrregularVerb{"flee", "fled", "fled"},
    IrregularVerb{"fly", "flew", "flown"},
    IrregularVerb{"forget", "forgot", "forgotten"},
    IrregularVerb{"forgive", "forgave", "forgiven"},
    IrregularVerb{"freeze", "froze", "frozen"},
    IrregularVerb{"get", "got", "gotten"},
    IrregularVerb{"give", "gave", "given"},
    IrregularVerb{"go", "went", "gone"},
    IrregularVerb{"grow", "grew", "grown"},
    IrregularVerb{"hang", "hung", "hung"},
    IrregularVerb{"have", "had", "had"},
    IrregularVerb{"hear", "heard", "heard"},
    IrregularVerb{"hide", "hid", "hidden"},
    IrregularVerb{"hit", "hit", "hit"},
    IrregularVerb{"hold", "held", "held"},
    IrregularVerb{"hurt", "hurt", "hurt"},
    IrregularVerb{"keep", "kept", "kept"},
    IrregularVerb{"know", "knew", "known"},
    IrregularVerb{"lay", "laid", "laid"},
    IrregularVerb{"lead", "led", "led"},
    IrregularVerb{"leave", "left", "left"},
    IrregularVerb{"lend", "lent", "lent"},
    IrregularVerb{"let", "let", "let"},
    IrregularVerb{"lie", "lay", "lain"},
    IrregularVerb{"light", "lit", "lit"},
    IrregularVerb{"lose", "lost", "lost"},
    IrregularVerb{"make", "made", "made"},
    IrregularVerb{"mean", "meant", "meant"},
    IrregularVerb{"meet", "met", "met"},
    IrregularVerb{"pay", "paid", "paid"},
    IrregularVerb{"put", "put", "put"},
    IrregularVerb{"read", "read", "read"},
    IrregularVerb{"ride", "rode", "ridden"},
    IrregularVerb{"ring", "rang", "rung"},
    IrregularVerb{"rise", "rose", "risen"},
    IrregularVerb{"run", "ran", "run"},
    IrregularVerb{"say", "said", "said"},
    IrregularVerb{"see", "saw", "seen"},
    IrregularVerb{"sell", "sold", "sold"},
    IrregularVerb{"send", "sent", "sent"},
    IrregularVerb{"set", "set", "set"},
    IrregularVerb{"shake", "shook", "shaken"},
    IrregularVerb{"shine", "shone", "shone"},
    IrregularVerb{"shoot", "shot", "shot"},
    IrregularVerb{"show", "showed", "shown"},
    IrregularVerb{"shut", "shut", "shut"},
    IrregularVerb{"sing", "sang", "sung"},
    IrregularVerb{"sink", "sank", "sunk"},
    IrregularVerb{"sit", "sat", "sat"},
    IrregularVerb{"sleep", "slept", "slept"},
    IrregularVerb{"slide", "slid", "slid"},
    IrregularVerb{"speak", "spoke", "spoken"},
    IrregularVerb{"spend", "spent", "spent"},
    IrregularVerb{"spin", "spun", "spun"},
    IrregularVerb{"spread", "spread", "spread"},
    IrregularVerb{"spring", "sprang", "sprung"},
    IrregularVerb{"stand", "stood", "stood"},
    IrregularVerb{"steal", "stole", "stolen"},
    IrregularVerb{"stick", "stuck", "stuck"},
    IrregularVerb{"strike", "struck", "struck"},
    IrregularVerb{"swear", "swore", "sworn"},
    IrregularVerb{"sweep", "swept", "swept"},
    IrregularVerb{"swim", "swam", "swum"},
    IrregularVerb{"swing", "swung", "swung"},
    IrregularVerb{"take", "took", "taken"},
    IrregularVerb{"teach", "taught", "taught"},
    IrregularVerb{"tear", "tore", "torn"},
    IrregularVerb{"tell", "told", "told"},
    IrregularVerb{"think", "thought", "thought"},
    IrregularVerb{"throw", "threw", "thrown"},
    IrregularVerb{"understand", "understood", "understood"},
    IrregularVerb{"wake", "woke", "woken"},
    IrregularVerb{"wear", "wore", "worn"},
    IrregularVerb{"weep", "wept", "wept"},
    IrregularVerb{"win", "won", "won"},
    IrregularVerb{"write", "wrote", "written"},
};

using WordSet = std::unordered_set<std::string_view>;

WordSet words(std::string_view list) {
  WordSet set;
  while (!list.empty()) {
    const size_t end = std::min(list.find(' '), list.size());
    set.insert(list.substr(0, end));
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return set;
}

bool is_vowel(char c) {
  return std::string_view("aeiou").find(c) != std::string_view::npos;
}

// Regular verbs, and irregular ones that are rarely nouns.
const WordSet& only_verbs() {
  static const WordSet set = words(
      "accomplish achieve acquire add admire adopt afford agree allow appear apply argue arrive "
      "ask attach attain attempt attract avoid be become begin behave believe belong borrow "
      "bring build buy carry catch celebrate choose cling collect come commit communicate "
      "compete complain complete connect consider consist consume contain continue contribute "
      "cook create decide depend describe destroy develop die dig disappear discover do drown "
      "earn eat enable encounter encourage end enjoy ensure enter escape evaluate exist expect "
      "experience explain explore express feel fill find finish fly follow forget gain gather "
      "get give go grow happen have hear help hide hire hold hope improve increase indicate "
      "install involve join keep kill know lay learn leave lend let lie listen live locate lose "
      "maintain make marry mean meet need obtain occur offer open order originate own "
      "participate pay perceive perform prefer prepare prevent produce protect prove provide "
      "put react read realize receive refer refuse relax remain remember remove replace "
      "represent require reside retain save say see seek seem sell send separate serve sit "
      "socialize solve speak spend start stay steal stop suffer suggest survive take teach tell "
      "think throw transport try turn understand use visit wait want wash wear win write yield");
  return set;
}

// Verbs that are also common nouns; they count as the verb only if there is no other.
const WordSet& other_verbs() {
  static const WordSet set = words(
      "act address answer arm attack attend bank base bathe bend bite blow boil bore break call "
      "camp care cause change charge chat check clean clear climb close contact control count "
      "cover crash crawl cross cry cut dance deposit desire display dispose draw dream dress "
      "drink drive drop fall feed fight fire fish fit focus form freeze fry glue grab guard "
      "hang hate head hike hit hunt hurt jump land last laugh lead left light like limit load "
      "look love mail march mark match mount move nap note notice number object pack paint park "
      "part pass pet pick picture place plan plant play point pour practice present press print "
      "promise pull punish purchase push race reach relate rent repair report rest result "
      "return ride ring rise roll rub rule run sail sample search set share shelter shoot shop "
      "show shower sign sing ski sleep slow smell smile smoke snore sound spread stand stare stick "
      "stock store strike study suit support surprise swim talk taste tend test touch tour "
      "trade train trap travel treat trip vote wake walk watch water wish witness work worry");
  return set;
}

bool is_in(std::string_view word, const WordSet& set) {
  return set.contains(word);
}

// Whether a word in -s, -es or -ies has a known plain form.
bool has_plain_form(std::string_view word) {
  if (word.size() < 4 || word.back() != 's') return false;
  if (is_verb(word.substr(0, word.size() - 1))) return true;
  if (word.ends_with("es") && is_verb(word.substr(0, word.size() - 2))) return true;
  return word.ends_with("ies") && is_verb(std::string(word.substr(0, word.size() - 3)) + "y");
}

}  // namespace

bool is_among(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::ranges::find(list, word) != list.end();
}

bool is_wh_word(std::string_view word) {
  static const WordSet set = words("what whats which who whom whose where when why how");
  return is_in(word, set);
}

bool is_determiner(std::string_view word) {
  static const WordSet set = words(
      "a an the this that these those my your his her its our their some any every each no most "
      "many much several another both few certain two three four five six ten one's someone's");
  return is_in(word, set);
}

bool is_pronoun(std::string_view word) {
  static const WordSet set = words(
      "i you he she it they we this that one someone somebody anyone anybody everyone everybody "
      "something people there");
  return is_in(word, set);
}

bool is_personal(std::string_view word) {
  return is_among(word, {"i", "you", "he", "she", "it", "we", "they", "there"});
}

bool is_preposition(std::string_view word) {
  static const WordSet set = words(
      "at in on to for from with of about into onto off by like near over under through behind "
      "beside between against inside outside around across toward towards upon within without "
      "along "
      "up out down during than as among besides above below next instead");
  return is_in(word, set);
}

bool is_adverb(std::string_view word) {
  static const WordSet set = words(
      "always often never sometimes also still not most just then even ever almost hardly only "
      "probably usually normally typically generally commonly frequently likely unlikely best "
      "perhaps again already soon");
  if (is_in(word, set)) return true;
  static const WordSet no_adverbs = words(
      "family fly supply reply apply belly lily italy july bully jelly ally rely lonely early");
  return word.size() > 4 && word.ends_with("ly") && !no_adverbs.contains(word);
}

bool is_subordinator(std::string_view word) {
  static const WordSet set = words(
      "if when while because after before since unless until although though whenever so but "
      "during where whether");
  return is_in(word, set);
}

bool is_relative(std::string_view word) {
  return word == "who" || word == "that" || word == "which";
}

bool is_modal(std::string_view word) {
  static const WordSet set = words(
      "can could may might must shall should will would can't cannot couldn't mustn't shouldn't "
      "won't wouldn't don't doesn't didn't");
  return is_in(word, set);
}

bool is_do(std::string_view word) {
  return word == "do" || word == "does" || word == "did";
}

bool is_be(std::string_view word) {
  static const WordSet set = words("is are was were am isn't aren't wasn't weren't");
  return is_in(word, set);
}

bool is_have(std::string_view word) {
  static const WordSet set = words("has have had hasn't haven't hadn't");
  return is_in(word, set);
}

bool is_auxiliary(std::string_view word) {
  return is_modal(word) || is_do(word) || is_be(word) || is_have(word);
}

bool is_only_verb(std::string_view word) {
  return is_in(word, only_verbs());
}

bool is_verb(std::string_view word) {
  return is_only_verb(word) || is_in(word, other_verbs());
}

bool is_third_person(std::string_view word) {
  return word == "is" || word == "has" || has_plain_form(word);
}

bool is_participle(std::string_view word) {
  if (word.size() > 4 && word.ends_with("ed")) return word != "need" && word != "speed";
  return std::ranges::any_of(kIrregularVerbs, [&](const IrregularVerb& verb) {
    return word == verb.participle && word != verb.plain;
  });
}

bool is_irregular_past(std::string_view word) {
  return std::ranges::any_of(kIrregularVerbs, [&](const IrregularVerb& verb) {
    return word == verb.past && word != verb.plain;
  });
}

bool is_gerund(std::string_view word) {
  static const WordSet nouns = words(
      "thing something anything nothing everything building morning "
      "evening king ring spring string ceiling wedding meeting wing");
  return word.size() > 4 && word.ends_with("ing") && !nouns.contains(word);
}

std::string third_person(std::string_view verb) {
  if (verb == "be") return "is";
  if (verb == "have") return "has";
  const std::string plain(verb);
  const auto ends = [&](std::string_view end) { return verb.ends_with(end); };
  if (ends("s") || ends("x") || ends("z") || ends("ch") || ends("sh") || ends("o")) {
    return plain + "es";
  }
  if (ends("y") && verb.size() > 1 && !is_vowel(verb[verb.size() - 2])) {
    return plain.substr(0, plain.size() - 1) + "ies";
  }
  return plain + "s";
}

std::string past_tense(std::string_view verb) {
  const auto* irregular = std::ranges::find(kIrregularVerbs, verb, &IrregularVerb::plain);
  if (irregular != kIrregularVerbs.end()) return std::string(irregular->past);
  static const WordSet doubled = words(
      "stop plan drop grab chat trip trap rub shop commit refer "
      "prefer occur control nap pet beg admit stir");
  std::string plain(verb);
  if (verb.ends_with("e")) return plain + "d";
  if (verb.ends_with("y") && verb.size() > 1 && !is_vowel(verb[verb.size() - 2])) {
    return plain.substr(0, plain.size() - 1) + "ied";
  }
  if (doubled.contains(verb)) plain += verb.back();
  return plain + "ed";
}

}  // namespace rubric::data
