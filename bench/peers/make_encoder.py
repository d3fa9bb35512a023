"""Writes a BERT as an inference engine reads it.

    python make_encoder.py ENGINE float32|int8 MODEL ROWS.jsonl FOLDER

ENGINE: openvino, onnxruntime or ctranslate2. Its users' own way to 8 bits: OpenVINO's inputs of products have fixed scales,
which nncf finds on the rows; ONNX Runtime and CTranslate2 round inputs as they come.
"""
import sys
from pathlib import Path

import transformers

CALIBRATION = 100  # rows


def load(model, attention):
    found = transformers.AutoModel.from_pretrained(model, add_pooling_layer=False, attn_implementation=attention)
    return found.eval()


def openvino(model, precision, rows_file, folder):
    import openvino
    import torch
    from encoder_engines import INPUTS, MAX_LENGTH, Tokenizer, padded
    from lerc_rows import encode, read_answers

    class Hidden(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = load(model, "sdpa")

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.encoder(input_ids, attention_mask, token_type_ids).last_hidden_state

    example = {name: torch.ones(2, 8, dtype=torch.long) for name in INPUTS}
    converted = openvino.convert_model(Hidden(), example_input=example)
    if precision == "int8":
        import nncf

        rows = encode(Tokenizer(model), read_answers(rows_file)[:CALIBRATION], MAX_LENGTH)
        samples = [dict(zip(INPUTS, padded([row]))) for row in rows]
        converted = nncf.quantize(
            converted, nncf.Dataset(samples), model_type=nncf.ModelType.TRANSFORMER, subset_size=len(samples)
        )
    openvino.save_model(converted, folder / "model.xml", compress_to_fp16=False)


def onnxruntime(model, precision, _, folder):
    import torch
    from onnx_encoder import write_onnx

    class Hidden(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.encoder = load(model, "eager")

        def forward(self, input_ids, attention_mask, token_type_ids):
            return self.encoder(input_ids, attention_mask, token_type_ids).last_hidden_state

    hidden = Hidden()
    axes = {0: "rows", 1: "tokens"}
    write_onnx(hidden, hidden.encoder.config, precision, folder / "model.onnx", "hidden", axes)


def ctranslate2(model, precision, _, folder):
    from ctranslate2.converters import TransformersConverter

    TransformersConverter(model).convert(str(folder), quantization=None if precision == "float32" else precision, force=True)


def main(engine, precision, model, rows, folder):
    Path(folder).mkdir()
    {"openvino": openvino, "onnxruntime": onnxruntime, "ctranslate2": ctranslate2}[engine](
        model, precision, rows, Path(folder)
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
