"""Every comparison, by its name: a new one is a line here."""
from alone import agreement_with_people, aligning_derivations, bootstrap, metric_alone, tokenizing
from comparison import Floor
from python_package import python_import, python_lerc, python_lexical, python_memory
from scoring import (
    generating, generating_beams, generating_gpt2, generating_int8, generating_llama, scoring_bertscore,
    scoring_bertscore_int8, scoring_lerc, scoring_lerc_int8, scoring_likelihood, scoring_likelihood_gpt2,
    scoring_likelihood_int8, scoring_ngrams, scoring_rev, starting_bleu, starting_lerc,
)
from shipped import scoring_answers
from training import finetuning, finetuning_base, finetuning_gpu, finetuning_on_ranks, finetuning_seq2seq

COMPARISONS = {
    "aligning derivations alone": aligning_derivations,
    "bootstrap": bootstrap,
    "agreement, bootstrap of EVOUNA": agreement_with_people(limit=1),
    "agreement, permutations of EVOUNA": agreement_with_people("--group", "constituent", "--test", "permutation", limit=3),
    "starting, bleu1": starting_bleu,
    "starting, lerc": starting_lerc,
    "fine-tuning": finetuning,
    "fine-tuning, BERT-base's shape": finetuning_base,
    "fine-tuning, BERT-base's shape on a GPU": finetuning_gpu,
    "fine-tuning, 2 ranks": finetuning_on_ranks,
    "fine-tuning, T5-small's shape": finetuning_seq2seq,
    "generating, greedy": generating,
    "generating, 4 beams": generating_beams(4),
    "generating, 8 beams": generating_beams(8),
    "generating, greedy, GPT-2's shape": generating_gpt2,
    "generating, greedy, SmolLM2's shape": generating_llama,
    "generating, greedy --int8": generating_int8("greedy", "t5"),
    "generating, 4 beams --int8": generating_int8("4 beams", "t5", 4),
    "generating, greedy, SmolLM2's shape --int8": generating_int8("greedy, SmolLM2's shape", "llama"),
    "scoring, lerc": scoring_lerc,
    "scoring, lerc --int8": scoring_lerc_int8,
    "scoring, lerc as shipped": scoring_answers,
    "scoring, bertscore": scoring_bertscore,
    "scoring, bertscore --int8": scoring_bertscore_int8,
    "scoring, likelihood": scoring_likelihood,
    "scoring, likelihood --int8": scoring_likelihood_int8,
    "scoring, likelihood, GPT-2's shape": scoring_likelihood_gpt2,
    "scoring, rev": scoring_rev,
    "WordPiece, english.txt": tokenizing("WordPiece", "english.txt", 3),
    "WordPiece, world.txt": tokenizing("WordPiece", "world.txt", 6),
    "byte-level BPE, english.txt": tokenizing("byte-level BPE", "english.txt", 3),
    "byte-level BPE, world.txt": tokenizing("byte-level BPE", "world.txt", 6),
    "scoring, bleu1": scoring_ngrams("bleu1"),
    "scoring, rouge_l": scoring_ngrams("rouge_l"),
    "bleu1 alone": metric_alone("bleu1", Floor(100)),
    "rouge_l alone": metric_alone("rouge_l", Floor(100)),
    "python, lexical": python_lexical,
    "python, memory": python_memory,
    "python, lerc": python_lerc,
    "python, import": python_import,
    "meteor alone": metric_alone("meteor", Floor(25), "METEOR 1.5, Java", "score_meteor.py", "shuffled.jsonl"),
}
