"""Scores rows with a BERT in an inference engine, which is opened and warm before the clock starts.

    python encoder_engines.py ENGINE lerc|bertscore MODEL EXPORTED WORKERS SIZE ROWS.jsonl OUTPUT.jsonl

ENGINE: openvino, onnxruntime, ctranslate2 or torch.compile; EXPORTED is what make_encoder.py wrote for it. lerc: all rows
are tokenised, and sorted by length; WORKERS batches of at most SIZE tokens (padding included) are computed at once, and
the cores are shared among them. bertscore: the loop of the package bert-score with the engine as its model, SIZE texts
at once; it computes one batch after the other, on all cores.

All that is timed is done once before: no shape is new to the engine then. Prints the seconds from the texts in memory to
their scores.
"""
import concurrent.futures
import json
import os
import sys
import time

import numpy
from lerc_rows import encode, read_answers

MAX_LENGTH = 256
CORES = len(os.sched_getaffinity(0))
INPUTS = ("input_ids", "attention_mask", "token_type_ids")


def open_openvino(exported, workers):
    import openvino
    import openvino.properties as properties
    import openvino.properties.hint as hint

    model = openvino.Core().compile_model(f"{exported}/model.xml", "CPU", {
        hint.inference_precision(): openvino.Type.f32,  # else bfloat16 where the processor has it
        properties.num_streams(): workers,
        properties.inference_num_threads(): CORES,
    })
    free = [model.create_infer_request() for _ in range(workers)]

    def compute(*inputs):
        request = free.pop()
        hidden = request.infer(dict(zip(INPUTS, inputs)))[0]  # a copy
        free.append(request)
        return hidden

    token = numpy.ones((1, 1), numpy.int64)
    compute(token, token, token)  # two threads that call the binding for the first time at once may wait forever
    return compute


def open_onnxruntime(exported, workers):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.graph_optimization_level = onnxruntime.GraphOptimizationLevel.ORT_ENABLE_ALL
    options.intra_op_num_threads = CORES // workers
    session = onnxruntime.InferenceSession(f"{exported}/model.onnx", options, providers=["CPUExecutionProvider"])
    return lambda *inputs: session.run(None, dict(zip(INPUTS, inputs)))[0]


def open_ctranslate2(exported, workers):
    import ctranslate2

    encoder = ctranslate2.Encoder(exported, inter_threads=workers, intra_threads=CORES // workers)

    def compute(ids, mask, segments):
        ids = ctranslate2.StorageView.from_array(ids.astype(numpy.int32))
        lengths = ctranslate2.StorageView.from_array(mask.sum(1).astype(numpy.int32))
        return numpy.array(encoder.forward_batch(ids, lengths, segments.tolist()).last_hidden_state)

    return compute


def open_torch_compile(exported, workers):
    import torch
    import torch._inductor.config
    import transformers

    torch.set_num_threads(CORES // workers)
    torch._inductor.config.freezing = True  # weights are constants, laid out for oneDNN
    model = transformers.AutoModel.from_pretrained(exported, add_pooling_layer=False).eval()
    compiled = torch.compile(lambda *inputs: model(*inputs).last_hidden_state, dynamic=True)

    def compute(*inputs):
        with torch.no_grad():
            return compiled(*map(torch.from_numpy, inputs)).numpy()

    return compute


OPEN = {
    "openvino": open_openvino,
    "onnxruntime": open_onnxruntime,
    "ctranslate2": open_ctranslate2,
    "torch.compile": open_torch_compile,
}


class Tokenizer:
    """tokenizers as lerc_rows.encode calls transformers' tokenizers: these would load torch for engines without it."""

    def __init__(self, model):
        import tokenizers

        self.tokenizer = tokenizers.Tokenizer.from_file(f"{model}/tokenizer.json")
        self.tokenizer.no_padding()
        self.tokenizer.no_truncation()
        self.cls_token_id, self.sep_token_id = map(self.tokenizer.token_to_id, ("[CLS]", "[SEP]"))

    def __call__(self, texts, add_special_tokens, verbose):
        encodings = self.tokenizer.encode_batch_fast(texts, add_special_tokens=add_special_tokens)
        return {"input_ids": [encoding.ids for encoding in encodings]}


def padded(rows):
    """The three inputs, as long as the longest row."""
    shape = len(rows), max(len(row["input_ids"]) for row in rows)
    inputs = [numpy.zeros(shape, numpy.int64) for _ in INPUTS]
    for line, row in enumerate(rows):
        length = len(row["input_ids"])
        for array, values in zip(inputs, (row["input_ids"], 1, row["token_type_ids"])):
            array[line, :length] = values
    return inputs


def batches(rows, size):
    """Numbers of rows, the longest first."""
    batch = []
    for i in sorted(range(len(rows)), key=lambda i: -len(rows[i]["input_ids"])):
        if batch and (len(batch) + 1) * len(rows[batch[0]]["input_ids"]) > size:
            yield batch
            batch = []
        batch.append(i)
    if batch:
        yield batch


def lerc_scorer(compute, model, workers, size):
    from safetensors import safe_open

    with safe_open(f"{model}/model.safetensors", "numpy") as tensors:
        weight, bias = (tensors.get_tensor(f"score_layer.{name}") for name in ("weight", "bias"))
    tokenizer = Tokenizer(model)
    pool = concurrent.futures.ThreadPoolExecutor(workers)

    def score(rows):
        encoded = encode(tokenizer, rows, MAX_LENGTH)
        chosen = list(batches(encoded, size))

        def values(batch):
            return compute(*padded([encoded[i] for i in batch]))[:, 0] @ weight[0] + bias[0]

        scores = numpy.zeros(len(rows))
        for batch, computed in zip(chosen, pool.map(values, chosen)):
            scores[batch] = computed
        return scores.tolist()

    return score


def bertscore_scorer(compute, model, _, size):
    import bert_score
    import torch

    loop = sys.modules["bert_score.score"]
    tokenizer = loop.get_tokenizer(model, True)

    class Engine(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.place = torch.nn.Parameter(torch.zeros(1))  # bert-score asks it where the model is

        def forward(self, ids, attention_mask, output_hidden_states):
            segments = numpy.zeros(ids.shape, numpy.int64)
            return [torch.from_numpy(compute(ids.numpy(), attention_mask.numpy().astype(numpy.int64), segments))]

    engine = Engine()
    loop.get_model, loop.get_tokenizer = lambda *_: engine, lambda *_: tokenizer

    def score(rows):
        texts = [[row[name] for row in rows] for name in ("candidate", "reference")]
        # The model's number of layers is what was exported.
        return bert_score.score(*texts, model_type=model, num_layers=0, batch_size=size)[2].tolist()

    return score


def main(engine, task, model, exported, workers, size, rows_file, output):
    workers, size = int(workers), int(size)
    compute = OPEN[engine](exported, workers)
    score = {"lerc": lerc_scorer, "bertscore": bertscore_scorer}[task](compute, model, workers, size)
    rows = read_answers(rows_file)
    score(rows)
    start = time.perf_counter()
    scores = score(rows)
    seconds = time.perf_counter() - start
    with open(output, "w") as out:
        for row, value in zip(rows, scores):
            out.write(json.dumps({**row, "scores": {task: value}}) + "\n")
    print(json.dumps({"rows": len(rows), "seconds": seconds}))


if __name__ == "__main__":
    main(*sys.argv[1:])
