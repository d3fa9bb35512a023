"""{package: version} of those peers that are installed, and of what they stand on."""
import importlib.metadata
import json

PACKAGES = (
    "torch", "transformers", "tokenizers", "sentencepiece", "accelerate", "openvino", "nncf", "onnxruntime", "ctranslate2",
    "bert-score", "pycocoevalcap", "PuLP", "scipy", "numpy",
)


def versions():
    for package in PACKAGES:
        try:
            yield package, importlib.metadata.version(package)
        except importlib.metadata.PackageNotFoundError:
            pass


print(json.dumps(dict(versions())))
