"""The learned metric that is shipped beside what its users would otherwise take."""
import functools
import subprocess
import sys

from comparison import BENCH, CORES
from measure import run
from scoring import score, scored_files

MODEL = BENCH.parent / "models" / "lerc-answers-small"
QA_METRICS = "0.2.42"
# The last three it imports and does not name.
PEDANTS = (f"qa-metrics=={QA_METRICS}", "nltk", "regex", "tqdm")


@functools.cache
def pedants_python():
    """A Python with the package qa-metrics, which wants an older scikit-learn and numpy than the other peers."""
    folder = BENCH.parent / ".deps" / "pedants"
    python, stamp = folder / "bin" / "python", folder / "installed"
    wanted = " ".join(PEDANTS) + "\n"
    if not stamp.exists() or stamp.read_text() != wanted:
        print(f"Installing {PEDANTS[0]} into .deps/pedants", file=sys.stderr)
        subprocess.run([sys.executable, "-m", "venv", "--clear", folder], check=True)
        install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
        subprocess.run([*install, *PEDANTS], check=True)
        stamp.write_text(wanted)
    return python


def scoring_answers(place):
    """Ours computes in float32, and with --int8 its products of whole numbers; ONNX Runtime's are of whole numbers. Same
    rows, tokens, references that are read and so passes; ONNX Runtime computes the last layer for all tokens, which
    ours does for the first alone. PEDANTS is no network, and works on one thread."""
    rows = "judged.jsonl"

    @functools.cache
    def onnx():
        place.peer("make_lerc_onnx.py", MODEL, place.folder / "lerc.onnx", threads=1)
        return place.folder / "lerc.onnx"

    @functools.cache
    def classifiers():
        script = [pedants_python(), BENCH / "peers" / "score_pedants.py"]
        run([*script, "--fit", place.folder / "pedants", place.rows / rows], 1)
        return [*script, place.folder / "pedants"]

    def ours(*options):
        return lambda rows, output: score("lerc", rows, output, "--model", MODEL, *options)

    def onnx_runtime(rows, output):
        return place.peer("score_lerc_onnx.py", MODEL, onnx(), rows, output, threads=CORES)

    def pedants(rows, output):
        return run([*classifiers(), rows, output], CORES)

    other_metric = f"PEDANTS, qa-metrics {QA_METRICS}"
    peers = {"ours, --int8": ours("--int8"), "ONNX Runtime, int8": onnx_runtime, other_metric: pedants}
    return scored_files(
        place, "lerc", rows, "reply.jsonl", ours(), peers, name="scoring, lerc as shipped", other_metrics={other_metric}
    )
