"""What the matrix products of BERT and T5 cost on given rows: the floating-point operations of the model, in the numerator of its
share of the machine's matrix-multiply rate.

A product of [m, k] and [k, n] is 2 m k n operations. With hidden size h, inner size i, rows of n tokens each:

- a linear layer from a to b: 2 a b for each token that it reads,
- attention: 4 h n for each query of a row (its scores, and the sum of values by them),
- backward: twice the forward pass, one product for the inputs and one for the weights.

A model that needs only the first token computes in its last layer keys and values of all tokens, and the rest of the
first tokens alone. Embeddings, norms, softmax, activations and the optimiser are not counted, nor what is computed a
second time: padding does not count, and attention's scores, which our backward makes again, count once.
"""


def bert_forward(config, lengths, first_token_only):
    """`config` as in config.json. Without first_token_only the last layer is as the others and the pooler is computed,
    as in transformers' BertForSequenceClassification; the layer that makes a score of each row counts in both."""
    hidden, inner = config["hidden_size"], config["intermediate_size"]
    layers = config["num_hidden_layers"]
    rows, tokens = len(lengths), sum(lengths)

    projections = 4 * 2 * hidden * hidden  # query, key, value, output: of a token
    feed_forward = 2 * 2 * hidden * inner
    attention = sum(4 * hidden * length * length for length in lengths)
    whole_layer = tokens * (projections + feed_forward) + attention
    score = rows * 2 * hidden
    if not first_token_only:
        return layers * whole_layer + rows * 2 * hidden * hidden + score
    keys_and_values = tokens * projections // 2
    first_tokens = rows * (projections // 2 + feed_forward) + sum(4 * hidden * length for length in lengths)
    return (layers - 1) * whole_layer + keys_and_values + first_tokens + score


def t5_forward(config, lengths):
    """`lengths` are those of each row's source and target. Every target token gets the scores of the whole vocabulary;
    a causal query counts as one of all targets."""
    hidden, inner, vocabulary = config["d_model"], config["d_ff"], config["vocab_size"]
    heads = config["num_heads"] * config["d_kv"]
    maps = 3 if config["feed_forward_proj"].startswith("gated") else 2

    projection = 2 * hidden * heads  # query, key, value or output: of a token
    feed_forward = maps * 2 * hidden * inner
    encoder = decoder = scores = 0
    for source, target in lengths:
        encoder += source * (4 * projection + feed_forward) + 4 * heads * source * source
        decoder += source * 2 * projection + target * (6 * projection + feed_forward)
        decoder += 4 * heads * target * (target + source)
        scores += target * 2 * hidden * vocabulary
    return config["num_layers"] * encoder + config["num_decoder_layers"] * decoder + scores


def bert_training(config, lengths, first_token_only):
    """Forward and backward."""
    return 3 * bert_forward(config, lengths, first_token_only)
