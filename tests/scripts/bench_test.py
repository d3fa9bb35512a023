"""What scripts/bench makes of its measurements: floors, the count of operations, the profile, the rows."""
import contextlib
import io
import itertools
import json
import os
import sys
import tempfile
import unittest
import unittest.mock
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "bench"))
sys.dont_write_bytecode = True

import measure
from comparison import BEST, MEMORY, Comparison, Figure, Floor, Place, memory
from comparisons import COMPARISONS
from engines import at_its_best
from flops import bert_forward, bert_training, t5_forward
from operator_profile import operator, profile, shares
from rows import answers_like, write_shuffled
from table import print_table, table_rows


def nothing(_):
    raise AssertionError("a program was started")


def compared(figures, *peers, **more):
    return Comparison("work", 2, figures, nothing, dict.fromkeys(peers, nothing), **more)


def rows_of(figure, ours, engines=(), **theirs):
    """The table's rows of a figure, by peer; each program's values are those of the rounds."""
    results = {name: [{figure.name: value} for value in values] for name, values in {"ours": ours, **theirs}.items()}
    return {row.peer: row for row in table_rows(compared([figure], *theirs, engines=engines), results)}


class Floors(unittest.TestCase):
    def test_the_ratio_is_the_median_of_those_of_the_rounds(self):
        figure = Figure("rows/s", floors={"slow": Floor(2)})
        rows = rows_of(figure, ours=[1, 10, 90], slow=[5, 4, 1])
        self.assertEqual(rows["slow"].times_better, 2.5)
        self.assertFalse(rows["slow"].missed)
        # 2, 4 and 1; the medians' would be 3.
        self.assertEqual(rows_of(figure, ours=[2, 40, 30], slow=[1, 10, 30])["slow"].times_better, 2)
        seconds = Figure("s", more_is_better=False)
        self.assertEqual(rows_of(seconds, ours=[1, 10, 30], slow=[2, 40, 30])["slow"].times_better, 2)

    def test_what_is_asked_of_the_best_engine_is_asked_of_the_hardest_to_beat(self):
        figure = Figure("rows/s", floors={BEST: Floor(1.5), "slow": Floor(9)})
        rows = rows_of(figure, [6, 6], engines=("a", "b"), a=[2, 2], b=[5, 5], slow=[1, 1])
        self.assertEqual({peer for peer, row in rows.items() if row.missed}, {"b", "slow"})
        self.assertEqual([rows[peer].asked for peer in ("a", "b", "slow")], ["", "1.5, best engine", "9"])
        rows = rows_of(figure, [6, 6], engines=("a", "b"), a=[4, 4], b=[3, 3], slow=[0.5, 0.5])
        self.assertEqual(rows["a"].asked, "1.5, best engine")
        self.assertFalse(any(row.missed for row in rows.values()))

    def test_the_best_engine_is_asked_for_only_where_there_are_engines(self):
        with self.assertRaisesRegex(ValueError, "best engine"):
            compared([Figure("rows/s", floors={BEST: Floor(2)})], "slow")

    def test_a_peer_without_a_figure_has_no_row_of_it(self):
        results = {"ours": [{"rows/s": 2, "start, s": 1}], "a": [{"rows/s": 1}], "b": [{"rows/s": 1, "start, s": 3}]}
        figures = [Figure("rows/s"), Figure("start, s", more_is_better=False)]
        rows = table_rows(compared(figures, "a", "b", engines=("a",)), results)
        self.assertEqual([(row.figure.name, row.peer) for row in rows],
                         [("rows/s", "a"), ("rows/s", "b"), ("start, s", "b")])

    def test_what_is_just_reached_is_reached_and_less_is_missed(self):
        for floor, missed in ((2.5, False), (2.51, True)):
            rows = rows_of(Figure("rows/s", floors={"slow": Floor(floor)}), ours=[10], slow=[4])
            self.assertEqual(rows["slow"].missed, missed)

    def test_an_aim_is_shown_and_not_asked(self):
        row = rows_of(Figure("rows/s", floors={"slow": Floor(2, aim=3)}), ours=[10], slow=[4])["slow"]
        self.assertFalse(row.missed)
        self.assertEqual(row.asked, "2 (aim 3)")

    def test_every_peer_has_its_own_floor_and_may_have_none(self):
        figure = Figure("rows/s", floors={"slow": Floor(2), "slower": Floor(4)})
        rows = rows_of(figure, ours=[9], slow=[3], slower=[3], fast=[100])
        self.assertEqual({peer for peer, row in rows.items() if row.missed}, {"slower"})
        self.assertEqual(rows["fast"].asked, "")

    def test_about_a_third_of_the_memory_is_asked_for(self):
        for ours, missed in ((349, False), (350, False), (351, True)):
            row = rows_of(memory(["big"]), ours=[ours], big=[1000])["big"]
            self.assertEqual(row.missed, missed)
        self.assertFalse(rows_of(memory(), ours=[2000], big=[1000])["big"].missed)

    def test_no_memory_is_asked_of_our_own_programs(self):
        self.assertEqual(set(memory(["ours, float32", "other"]).floors), {"other"})

    def test_a_limit_is_of_our_figure_whatever_the_peer_has(self):
        cases = ((True, 74, True), (True, 75, False), (False, 75, False), (False, 76, True))
        for more_is_better, ours, missed in cases:
            rows = rows_of(Figure("it", more_is_better, limit=75), ours=[ours], peer=[1000])
            self.assertEqual(rows[None].missed, missed)
            self.assertFalse(rows["peer"].missed)

    def test_a_complaint_says_what_was_asked_and_measured(self):
        figure = Figure("rows/s", floors={"slow": Floor(3)}, limit=20)
        rows = rows_of(figure, ours=[10], slow=[4])
        self.assertEqual(rows["slow"].complaint(), "work, rows/s, against slow: 2.5 times better measured, 3 asked")
        self.assertEqual(rows[None].complaint(), "work, rows/s: 10 measured, at least 20 asked")

    def test_the_table_says_what_was_missed(self):
        rows = rows_of(Figure("rows/s", floors={"slow": Floor(3, aim=4)}), ours=[10], slow=[4])
        with contextlib.redirect_stdout(io.StringIO()) as printed:
            print_table(list(rows.values()))
        self.assertIn("| 2.50         | 3 (aim 4), missed |", printed.getvalue())

    def test_a_floor_of_a_peer_that_is_not_there_is_an_error(self):
        with self.assertRaisesRegex(ValueError, "work: .*Trainer"):
            compared([Figure("rows/s", floors={"Trainer": Floor(2)})], "trainer")


class Engines(unittest.TestCase):
    def test_values_that_differ_more_than_by_rounding_are_complained_about(self):
        comparison = compared([], "scores", "texts", alike={"scores": 0.999, "texts": 0.9})
        for scores, texts, unlike in (
            (0.9995, 0.95, []), (0.99, 0.95, ["scores"]), (0.9995, 0.5, ["texts"]), (float("nan"), 1, ["scores"])
        ):
            found = {"scores": {"difference": 0, "correlation": scores}, "texts": {"same": texts}}
            complaints = list(comparison.unlike(found))
            self.assertEqual([c.partition("work: ")[2].partition(" computes")[0] for c in complaints], unlike)
        self.assertEqual([c.partition(" were ")[2] for c in comparison.unlike({})], ["not compared with ours"] * 2)

    def test_the_fastest_setting_on_a_sample_is_taken_and_tried_once(self):
        runs = []

        def program(rows, output, workers, size):
            runs.append((rows.name, workers, size))
            return unittest.mock.Mock(report={"seconds": {(1, 8): 3, (2, 8): 1, (2, 16): 2}[workers, size]})

        with tempfile.TemporaryDirectory() as folder, contextlib.redirect_stderr(io.StringIO()) as printed:
            place = Place("python", Path(folder))
            place.rows.mkdir()
            (place.rows / "rows.jsonl").write_text("{}\n" * 512)
            peer = at_its_best(place, "work, engine", program, [(1, 8), (2, 8), (2, 16)], "rows.jsonl")
            self.assertEqual(runs, [])
            for _ in range(2):
                peer(place.rows / "rows.jsonl", place.folder / "out.jsonl")
            self.assertEqual((place.folder / "sample-rows.jsonl").read_text(), "{}\n" * 128)
        tried = [("sample-rows.jsonl", 1, 8), ("sample-rows.jsonl", 2, 8), ("sample-rows.jsonl", 2, 16)]
        self.assertEqual(runs, [*tried, ("rows.jsonl", 2, 8), ("rows.jsonl", 2, 8)])
        self.assertEqual(place.settings, {"work, engine": "2 at once, 8 a batch"})
        self.assertIn("work, engine: 2 at once, 8 a batch", printed.getvalue())


class Comparisons(unittest.TestCase):
    def setUp(self):
        # None is run: they are made for their figures.
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        place = Place("python", Path(folder.name))
        with unittest.mock.patch.dict(os.environ, {"RUBRIC_DATA": ""}):
            self.comparisons = {name: make(place) for name, make in COMPARISONS.items()}

    def test_their_names_begin_as_they_are_listed(self):
        for name, comparison in self.comparisons.items():
            self.assertEqual(comparison.name[: len(name)], name)

    def test_every_row_that_is_promised_is_asked_for(self):
        """(comparison, figure, peer's beginning): how many times better than the peer."""
        grouped, compiled = "Trainer, grouped by", "Trainer, grouped, torch_compile"
        promised = {
            ("fine-tuning", "examples/s", grouped): 2.3,
            ("fine-tuning", "examples/s", compiled): 1.5,
            ("fine-tuning", "examples/s", "Trainer, default"): 4,
            ("fine-tuning, BERT-base's shape", "examples/s", grouped): 1.8,
            ("fine-tuning, BERT-base's shape", "examples/s", compiled): 1.5,
            ("fine-tuning, BERT-base's shape on a GPU", "examples/s", grouped): 1.5,
            ("scoring, lerc", "rows/s", BEST): 1.5,
            ("scoring, lerc", "rows/s", "transformers, sorted"): 1.7,
            ("scoring, lerc", "rows/s", "transformers, file order"): 2.5,
            ("scoring, lerc --int8", "rows/s", BEST): 1.6,
            ("scoring, bertscore", "rows/s", BEST): 1.3,
            ("scoring, bertscore", "rows/s", "bert-score"): 2.5,
            ("scoring, bertscore --int8", "rows/s", "bert-score"): 3.2,
            ("scoring, likelihood", "rows/s", BEST): 1.4,
            ("scoring, likelihood", "rows/s", "transformers, sorted"): 1.5,
            ("scoring, likelihood --int8", "rows/s", BEST): 1.4,
            ("scoring, likelihood, GPT-2's shape", "rows/s", BEST): 1.3,
            ("generating, greedy", "rows/s", BEST): 1.4,
            ("generating, greedy", "rows/s", "transformers, file order"): 2,
            ("generating, 4 beams", "rows/s", BEST): 1.3,
            ("generating, 8 beams", "rows/s", BEST): 1.3,
            ("generating, greedy, GPT-2's shape", "rows/s", BEST): 1.3,
            ("generating, greedy, SmolLM2's shape", "rows/s", BEST): 1.3,
            ("generating, greedy --int8", "rows/s", BEST): 1.3,
            ("generating, 4 beams --int8", "rows/s", BEST): 1.3,
            ("generating, greedy, SmolLM2's shape --int8", "rows/s", BEST): 1.3,
            ("bleu1 alone", "rows/s", "pycocoevalcap"): 100,
            ("rouge_l alone", "rows/s", "pycocoevalcap"): 100,
            ("meteor alone", "rows/s", "METEOR 1.5"): 25,
            ("WordPiece, english.txt", "MB/s", "tokenizers"): 1.5,
            ("WordPiece, world.txt", "MB/s", "tokenizers"): 1.5,
            ("python, lexical", "rows/s", "score"): 1 / 1.15,
            ("python, lexical", "rows/s", "pycocoevalcap"): 30,
            ("python, lerc", "rows/s", "score"): 0.95,
        }
        asked = {
            (name, figure.name, peer): floor.at_least
            for name, comparison in self.comparisons.items()
            for figure in comparison.figures
            for peer, floor in figure.floors.items()
        }
        of_rates = {key: value for key, value in asked.items() if key[1] != MEMORY}
        self.assertEqual(len(of_rates), len(promised))
        for (name, figure, beginning), at_least in promised.items():
            found = [v for key, v in of_rates.items() if key[:2] == (name, figure) and key[2].startswith(beginning)]
            self.assertEqual(found, [at_least], (name, figure, beginning))

        in_memory = {(name, peer): value for (name, figure, peer), value in asked.items() if figure == MEMORY}
        # Java's, another metric, ours, and where nothing but the time or another number of rows is measured.
        left_out = ("METEOR", "PEDANTS", "ours", "1 rank", "score")
        unmeasured = ("starting, ", "python, ", "fine-tuning, BERT-base's shape on a GPU")
        everyone = {
            (name, peer)
            for name, comparison in self.comparisons.items()
            for peer in comparison.peers
            if not peer.startswith(left_out) and not name.startswith(unmeasured)
        }
        self.assertEqual(in_memory, dict.fromkeys(everyone, 1 / 0.35))

    def test_engines_are_asked_to_compute_the_same(self):
        for name, comparison in self.comparisons.items():
            texts_of_8_bits = name.startswith("generating") and name.endswith("--int8")  # part early
            self.assertEqual(set(comparison.alike), set() if texts_of_8_bits else set(comparison.engines), name)

    def test_values_of_another_metric_are_not_compared(self):
        comparison = self.comparisons["scoring, lerc as shipped"]
        (pedants,) = (peer for peer in comparison.peers if peer.startswith("PEDANTS"))
        self.assertEqual(comparison.agreement(pedants), {})

    def test_limits(self):
        limits = {
            (name, figure.name): (figure.limit, figure.more_is_better)
            for name, comparison in self.comparisons.items()
            for figure in comparison.figures
            if figure.limit is not None
        }
        self.assertEqual(limits, {
            ("fine-tuning", "of the matrix rate, %"): (75, True),
            ("fine-tuning, BERT-base's shape on a GPU", "of the matrix rate, %"): (45, True),
            ("starting, bleu1", "s"): (0.02, False),
            ("starting, lerc", "s"): (0.4, False),
            ("agreement, bootstrap of EVOUNA", "s"): (1, False),
            ("agreement, permutations of EVOUNA", "s"): (3, False),
            ("python, import", "s"): (0.1, False),
            ("python, memory", "times the texts"): (2, False),
        })


class Operations(unittest.TestCase):
    """h = 2, i = 3: query, key, value and output cost 8 each for a token, the feed-forward layers 12 each."""

    TINY = {"hidden_size": 2, "intermediate_size": 3, "num_hidden_layers": 1}

    def test_a_whole_layer(self):
        # One row of 5 tokens: 4 x 8 + 2 x 12 = 56 for a token; scores and sums are 2 x (2 x 5 x 5 x 2) = 200; the
        # pooler 8, the score 4.
        self.assertEqual(bert_forward(self.TINY, [5], first_token_only=False), 5 * 56 + 200 + 8 + 4)

    def test_rows_attend_within_themselves(self):
        # 4 h n^2 of 3 and 2 tokens: 72 + 32.
        self.assertEqual(bert_forward(self.TINY, [3, 2], first_token_only=False), 5 * 56 + 104 + 2 * (8 + 4))

    def test_a_last_layer_of_first_tokens(self):
        # Keys and values of 5 tokens, 16 each; of the first token query, output and feed-forward, 16 + 24; its scores
        # and sum over 5 tokens 2 x (2 x 5 x 2) = 40; the score 4.
        self.assertEqual(bert_forward(self.TINY, [5], first_token_only=True), 80 + 40 + 40 + 4)

    def test_layers_before_the_last_are_whole(self):
        three = self.TINY | {"num_hidden_layers": 3}
        self.assertEqual(bert_forward(three, [5], first_token_only=True), 2 * (5 * 56 + 200) + 164)
        self.assertEqual(bert_forward(three, [5], first_token_only=False), 3 * (5 * 56 + 200) + 12)

    def test_backward_is_twice_forward(self):
        self.assertEqual(bert_training(self.TINY, [5], first_token_only=True), 3 * 164)

    def test_t5_reads_a_source_and_a_target(self):
        config = {"d_model": 2, "num_heads": 1, "d_kv": 3, "d_ff": 5, "vocab_size": 7, "feed_forward_proj": "relu",
                  "num_layers": 1, "num_decoder_layers": 1}
        # A projection of a token is 12, its feed-forward 40. The encoder: 4 tokens x (4 x 12 + 40), and attention
        # 4 x 3 x 4 x 4. The decoder: keys and values of 4 tokens, 2 tokens x (6 x 12 + 40), and attention
        # 4 x 3 x 2 x (2 + 4). The vocabulary: 2 tokens x 2 x 2 x 7.
        encoder, decoder, scores = 352 + 192, 96 + 224 + 144, 56
        self.assertEqual(t5_forward(config, [(4, 2)]), encoder + decoder + scores)
        self.assertEqual(t5_forward(config, [(4, 2), (4, 2)]), 2 * (encoder + decoder + scores))
        deeper = config | {"num_layers": 2, "num_decoder_layers": 3}
        self.assertEqual(t5_forward(deeper, [(4, 2)]), 2 * encoder + 3 * decoder + scores)
        gated = config | {"feed_forward_proj": "gated-gelu"}  # 60 in place of 40
        self.assertEqual(t5_forward(gated, [(4, 2)]), encoder + decoder + scores + (4 + 2) * 20)


class Profile(unittest.TestCase):
    def test_functions_of_every_operator(self):
        torch, ours = "libtorch_cpu.so", "librubric-neural.so.0.1"
        for library, function, name in (
            (torch, "[.] mkl_blas_def_sgemm_kernel_0_zen", "matrix products"),
            (torch, "[.] mkl_blas_avx512_sgemm_kernel_nocopy", "matrix products"),
            (ours, "[.] rubric::(anonymous namespace)::multiply_tile<4, 3>", "matrix products"),
            ("[JIT] tid 12817", "[.] 0x00007fd1719ae085", "matrix products"),
            ("libgomp.so.1", "[.] 0x000000000001e02a", "waiting threads"),
            (ours, "[.] rubric::PackedAttention::backward(…)", "attention but for its products"),
            (torch, "[.] at::native::_vec_host_softmax_backward_lastdim", "attention but for its products"),
            (ours, "[.] rubric::attend_as<rubric::Plain> [clone .arch_x86_64_v4]", "attention but for its products"),
            (torch, "[.] at::native::vec_log_softmax_lastdim_kernel", "losses"),
            (ours, "[.] rubric::log_probability [clone .arch_x86_64_v4]", "losses"),
            (ours, "[.] callback_fn<rubric::for_each_row<rubric::BiasGelu::forward(…)>", "activations"),
            (ours, "[.] callback_fn<rubric::for_each_row<rubric::AddNorm::forward(…)>", "norms, residuals, dropout"),
            (ours, "[.] rubric::norm_sum_row", "norms, residuals, dropout"),
            (ours, "[.] callback_fn<rubric::apply_mask(…)>", "norms, residuals, dropout"),
            (ours, "[.] rubric::round_row [clone .arch_x86_64_v4]", "rounding to 8 bits"),
            (ours, "[.] rubric::largest_magnitude", "rounding to 8 bits"),
            (ours, "[.] rubric::finish_row", "rounding to 8 bits"),
            (torch, "[.] at::native::adam_fused_step_impl<float>", "optimiser"),
            (torch, "[.] at::native::embedding_dense_backward_cpu", "embeddings"),
            (torch, "[.] at::native::AVX2::direct_copy_kernel", "other operations of libtorch"),
            ("[kernel.kallsyms]", "[k] clear_page_erms", "memory and kernel"),
            ("libc.so.6", "[.] __memmove_avx_unaligned_erms", "memory and kernel"),
            (ours, "[.] rubric::WordPiece::encode", "texts and files"),
            ("libcrypto.so.3", "[.] 0x000000000029c280", "texts and files"),
            ("ld-linux-x86-64.so.2", "[.] do_lookup_x", "other"),
        ):
            self.assertEqual(operator(library, function), name, function)

    def test_the_longest_command_is_profiled(self):
        def program(_):
            for size in (5, 50, 7):
                command = measure._starter()
                command[command.index("-o") + 1].write_bytes(bytes(size))

        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("operator_profile.subprocess.run") as report:
            report.return_value.stdout = "1|libgomp.so.1|[.] 0x1e02a\n"
            self.assertEqual(profile(program, Path(folder)), {"waiting threads": 1})
        self.assertEqual(report.call_args.args[0][-1].name, "perf-1.data")
        self.assertEqual(measure._starter(), [])

    def test_shares_of_all_samples(self):
        report = """# Samples: 40
#
  30|libtorch_cpu.so  |[.] mkl_blas_def_sgemm_kernel_0_zen
   6|libgomp.so.1     |[.] 0x1e02a
   3|libtorch_cpu.so  |[.] mkl_blas_def_xsgemv
   1|librubric.so.0.1 |[.] rubric::operator|(int, int)

"""
        self.assertEqual(list(shares(report).items()),
                         [("matrix products", 33 / 40), ("waiting threads", 6 / 40), ("texts and files", 1 / 40)])


class Rows(unittest.TestCase):
    def test_passages_have_the_lengths_that_are_asked_for(self):
        """Half to one and a half of the mean, from stories that are shorter and longer."""
        stories = [("a b c", [("q", ["right", "wrong"])]), ("word " * 50, [("q", ["right", "wrong"])])]
        rows = [row for _, row in itertools.islice(answers_like({"long": (20.0, 1)}, stories), 200)]
        lengths = [len(row["context"].split()) for row in rows]
        self.assertGreaterEqual(min(lengths), 10)
        self.assertLessEqual(max(lengths), 30)
        self.assertLess(abs(sum(lengths) / len(lengths) - 20), 2)
        self.assertEqual({(row["reference"], row["candidate"]) for row in rows}, {("right", "wrong")})

    def test_shuffled_rows_never_repeat_the_references_of_the_row_before(self):
        with tempfile.TemporaryDirectory() as folder:
            folder = Path(folder)
            rows = [{"id": f"{i}", "reference": [str(i // 5)]} for i in range(500)]
            (folder / "replies.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
            write_shuffled(folder)
            shuffled = [json.loads(line) for line in (folder / "shuffled.jsonl").read_text().splitlines()]
        self.assertGreater(len(shuffled), 450)
        self.assertNotEqual([row["id"] for row in shuffled], sorted((row["id"] for row in shuffled), key=int))
        self.assertFalse(any(a["reference"] == b["reference"] for a, b in itertools.pairwise(shuffled)))


if __name__ == "__main__":
    unittest.main()
