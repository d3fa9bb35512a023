"""Writes the shipped learned metric's encoder and score layer for ONNX Runtime, with weights of 8 bits and
inputs of linear layers that are rounded as they come (dynamic quantisation).

    python make_lerc_onnx.py MODEL FILE.onnx

As ONNX Runtime's users do it: torch's export, the transformer optimizer of onnxruntime (fused attention,
norms and GELU), quantize_dynamic with a scale for each output. It reads float32 weights, the stored ones
multiplied out. Fails where a layer was not fused, since another program would be compared then.
"""
import collections
import sys
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers.optimizer import optimize_model

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tests" / "fixtures"))
from make_lerc_answers import load_encoder, load_tensors  # noqa: E402

FUSED = {"QAttention": 1, "SkipLayerNormalization": 2, "BiasGelu": 1, "MatMulInteger": 3}  # of a layer


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


def has_vnni():
    """Without it two products of 8 bits, added in 16, overflow: weights then take 7 bits."""
    return "vnni" in Path("/proc/cpuinfo").read_text()


def main(directory, file):
    model = Scored(Path(directory)).eval()
    names = ["input_ids", "attention_mask", "token_type_ids"]
    example = tuple(torch.ones(2, 8, dtype=torch.long) for _ in names)
    with tempfile.TemporaryDirectory() as folder:
        exported, optimized = f"{folder}/exported.onnx", f"{folder}/optimized.onnx"
        torch.onnx.export(
            model, example, exported, input_names=names, output_names=["logits"], opset_version=17, dynamo=False,
            dynamic_axes={name: {0: "rows", 1: "tokens"} for name in names} | {"logits": {0: "rows"}},
        )
        config = model.encoder.config
        fused = optimize_model(
            exported, "bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size, opt_level=1
        )
        fused.save_model_to_file(optimized)
        # A Gemm becomes a MatMul of this name before it is quantised.
        head = [node.name + end for node in fused.model.graph.node if "score_layer" in node.name for end in ("", "_MatMul")]
        quantize_dynamic(
            optimized, file, per_channel=True, reduce_range=not has_vnni(), weight_type=QuantType.QInt8,
            nodes_to_exclude=head, extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
        )
    counts = collections.Counter(node.op_type for node in onnx.load(file).graph.node)
    for name, of_layer in FUSED.items():
        if counts[name] != of_layer * config.num_hidden_layers:
            sys.exit(f"{counts[name]} operators {name}, expected {of_layer} in each of {config.num_hidden_layers} layers")


if __name__ == "__main__":
    main(*sys.argv[1:])
