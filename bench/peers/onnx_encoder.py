"""A BERT as users of ONNX Runtime make it ready: torch's export, its transformer optimizer (fused attention, norms and
GELU) and, for 8 bits, quantize_dynamic with a scale for each output."""
import collections
import sys
import tempfile
from pathlib import Path

import onnx
import torch
from onnxruntime.quantization import QuantType, quantize_dynamic
from onnxruntime.transformers.optimizer import optimize_model

INPUTS = ["input_ids", "attention_mask", "token_type_ids"]
FUSED = {  # operators of a layer
    "float32": {"Attention": 1, "SkipLayerNormalization": 2, "BiasGelu": 1, "MatMul": 3},
    "int8": {"QAttention": 1, "SkipLayerNormalization": 2, "BiasGelu": 1, "MatMulInteger": 3},
}


def has_vnni():
    """Without it two products of 8 bits, added in 16, overflow: weights then take 7 bits."""
    return "vnni" in Path("/proc/cpuinfo").read_text()


def write_onnx(model, config, precision, file, output, axes, not_quantised=None):
    """`model`, whose attention is transformers' "eager", with its one output. Nodes whose names have `not_quantised`
    in them stay in float32. Fails where a layer was not fused, since another program would be compared then."""
    example = tuple(torch.ones(2, 8, dtype=torch.long) for _ in INPUTS)
    with tempfile.TemporaryDirectory() as folder:
        exported, optimized = f"{folder}/exported.onnx", f"{folder}/optimized.onnx"
        torch.onnx.export(
            model, example, exported, input_names=INPUTS, output_names=[output], opset_version=17, dynamo=False,
            dynamic_axes={name: {0: "rows", 1: "tokens"} for name in INPUTS} | {output: axes},
        )
        fused = optimize_model(
            exported, "bert", num_heads=config.num_attention_heads, hidden_size=config.hidden_size, opt_level=1
        )
        if precision == "float32":
            fused.save_model_to_file(str(file))
        else:
            fused.save_model_to_file(optimized)
            # A Gemm becomes a MatMul of this name before it is quantised.
            nodes = [node.name for node in fused.model.graph.node if not_quantised and not_quantised in node.name]
            quantize_dynamic(
                optimized, file, per_channel=True, reduce_range=not has_vnni(), weight_type=QuantType.QInt8,
                nodes_to_exclude=[name + end for name in nodes for end in ("", "_MatMul")],
                extra_options={"DefaultTensorType": onnx.TensorProto.FLOAT},
            )
    counts = collections.Counter(node.op_type for node in onnx.load(file).graph.node)
    for name, of_layer in FUSED[precision].items():
        if counts[name] != of_layer * config.num_hidden_layers:
            sys.exit(f"{counts[name]} operators {name}, expected {of_layer} in each of {config.num_hidden_layers} layers")
