// `rubric completion`, by the shells themselves.
#include <filesystem>
#include <string>

#include <gtest/gtest.h>

#include "cli/on_terminal.h"
#include "cli/run_program.h"
#include "core/files/files.h"
#include "core/system/process.h"
#include "paths.h"
#include "temporary_folder.h"

namespace rubric::cli::completion_test {

// What the shell's script prints; $0 is rubric.
std::string printed_by(const std::string& shell, const std::string& script) {
  const TemporaryFolder folder;
  const std::string rubric = std::string(programs_folder()) + "/rubric";
  EXPECT_EQ(
      run_process({shell, "-c", script, rubric}, {"", folder.file("out"), folder.file("err")}), 0);
  return read_file(folder.file("out")) + read_file(folder.file("err"));
}

// What bash offers behind `line`, whose last word is being written.
std::string in_bash(const std::string& line) {
  return printed_by("/bin/bash",
                    "PATH=${0%/*}:$PATH; source <(\"$0\" completion bash); COMP_WORDS=(" + line +
                        "); COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _rubric; "
                        "echo \"${COMPREPLY[*]}\"");
}

TEST(Completion, Bash) {
  EXPECT_EQ(in_bash("rubric ev"), "evaluate\n");
  EXPECT_EQ(in_bash("rubric help ev"), "evaluate\n");
  EXPECT_EQ(in_bash("rubric score"), "score\n");
  EXPECT_EQ(in_bash("rubric he"), "help\n");
  EXPECT_EQ(in_bash("rubric help sco"), "score\n");
  EXPECT_EQ(in_bash("rubric evaluate agr"), "agreement\n");
  EXPECT_EQ(in_bash("rubric derive r4c-b"), "r4c-baseline\n");
  EXPECT_EQ(in_bash("rubric evaluate agreement --hu"), "--human\n");
  EXPECT_EQ(in_bash("evaluate agreement --hu"), "--human\n");
  EXPECT_EQ(in_bash("score rouge_"), "rouge_l\n");
  EXPECT_EQ(in_bash("score f1,rouge_"), "f1,rouge_l\n");
  EXPECT_EQ(in_bash("rubric evaluate mocha --metric rouge_"), "rouge_l\n");
  EXPECT_EQ(in_bash("score f1 --per"), "--per-token\n");
}

// Where a folder is called like a command, the line is written on with a blank, not with a slash.
TEST(Completion, ACommandIsNoFolderInBash) {
  const TemporaryFolder folder;
  folder.write("train/rows.csv", "");
  OnTerminal bash({"env", "TERM=dumb", "INPUTRC=/dev/null", "bash", "--norc", "--noprofile", "-i"},
                  folder.file(""));
  bash.type("PS1= PATH=" + std::string(programs_folder()) +
            ":$PATH; source <(rubric completion bash); echo read''y\n");
  bash.read_until("ready\r\n");
  constexpr const char* kShow =
      "\x01"
      "echo '[\x05]'\n";  // prints the line, in brackets
  bash.type("rubric tra\t");
  bash.type(kShow);
  bash.read_until("\n[rubric train ]");
  bash.type("rubric score f1 --input tra\t");
  bash.type(kShow);
  bash.read_until("\n[rubric score f1 --input train/]");
}

// The words that the script hands to zsh's own functions, which the test puts in their place.
std::string in_zsh(const std::string& line) {
  return printed_by(
      "zsh",
      "compdef() {}; _files() { print files }\n"
      "_describe() { local -a all=(\"${(@P)argv[-1]}\"); print -rl -- ${(M)all:#${PREFIX}*} }\n"
      "PATH=${0%/*}:$PATH; source <(rubric completion zsh); words=(" +
          line + "); CURRENT=$#words; PREFIX=${words[CURRENT]}; _rubric");
}

bool has(const std::string& shell) {
  return std::filesystem::exists("/bin/" + shell) || std::filesystem::exists("/usr/bin/" + shell);
}

TEST(Completion, Zsh) {
  if (!has("zsh")) GTEST_SKIP() << "zsh is not installed";
  EXPECT_EQ(in_zsh("rubric ev"), "evaluate:compares metrics with human judgements\n");
  EXPECT_EQ(in_zsh("rubric score"), "score:scores a file of answers with one or more metrics\n");
  EXPECT_EQ(in_zsh("rubric he"), "help:explains a command\n");
  EXPECT_EQ(in_zsh("rubric evaluate agr"),
            "agreement:which of several metrics agrees best with human labels, on your own rows\n");
  EXPECT_EQ(in_zsh("rubric evaluate agreement --hu"), "--human:the field of the human label\n");
  EXPECT_EQ(in_zsh("evaluate agreement --hu"), "--human:the field of the human label\n");
  EXPECT_EQ(in_zsh("score rouge_"), "rouge_l\n");
  EXPECT_EQ(in_zsh("rubric evaluate mocha --metric rouge_"), "rouge_l\n");
  EXPECT_EQ(in_zsh("rubric evaluate agreement --input sca"), "files\n");
}

std::string in_fish(const std::string& line) {
  const TemporaryFolder folder;
  const std::string script = folder.write("rubric.fish", run({"rubric", "completion", "fish"}).out);
  return printed_by("fish", "set PATH " + std::string(programs_folder()) + " $PATH; source " +
                                script + "; complete -C '" + line + "'");
}

TEST(Completion, Fish) {
  if (!has("fish")) GTEST_SKIP() << "fish is not installed";
  EXPECT_EQ(in_fish("rubric ev"), "evaluate\tcompares metrics with human judgements\n");
  EXPECT_EQ(in_fish("rubric he"), "help\texplains a command\n");
  EXPECT_EQ(in_fish("rubric help evaluate prefe"),
            "preference\twhich of two answers a judge prefers, and whether their order matters\n");
  EXPECT_EQ(in_fish("rubric evaluate agreement --hum"), "--human\tthe field of the human label\n");
  EXPECT_EQ(in_fish("evaluate agreement --hum"), "--human\tthe field of the human label\n");
  EXPECT_EQ(in_fish("score f1,rouge_"), "f1,rouge_l\n");
}

TEST(Completion, AnotherShellIsToldThese) {
  expect_message(run({"rubric", "completion", "bahs"}), 2, {"did you mean bash?"});
  expect_message(run({"rubric", "completion"}), 2, {"the shell is missing"});
}

}  // namespace rubric::cli::completion_test
