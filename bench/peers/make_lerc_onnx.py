"""Writes the shipped learned metric's encoder and score layer for ONNX Runtime, with weights of 8 bits and
inputs of linear layers that are rounded as they come (dynamic quantisation).

    python make_lerc_onnx.py MODEL FILE.onnx

It reads float32 weights, the stored ones multiplied out.
"""
import sys
from pathlib import Path

import torch
from onnx_encoder import write_onnx

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "fixtures"))
from make_lerc_answers import load_encoder, load_tensors  # noqa: E402


class Scored(torch.nn.Module):
    def __init__(self, directory):
        super().__init__()
        tensors = load_tensors(directory)
        self.encoder = load_encoder(directory, tensors, attention="eager")
        self.score_layer = torch.nn.Linear(self.encoder.config.hidden_size, 1)
        parts = {name: torch.from_numpy(tensors[f"score_layer.{name}"]) for name in ("weight", "bias")}
        self.score_layer.load_state_dict(parts)

    def forward(self, input_ids, attention_mask, token_type_ids):
        hidden = self.encoder(input_ids, attention_mask, token_type_ids).last_hidden_state
        return self.score_layer(hidden[:, 0])[:, 0]


def main(directory, file):
    model = Scored(Path(directory)).eval()
    write_onnx(model, model.encoder.config, "int8", file, "logits", {0: "rows"}, not_quantised="score_layer")


if __name__ == "__main__":
    main(*sys.argv[1:])
