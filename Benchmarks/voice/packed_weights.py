"""Weights of a network as Swift source.

Each weight has 12 bits in two characters. Each layer has its own step size.
"""
import numpy as np


def swift(layers):
    """The members `packed`, `steps` and `text` of a Swift enum.

    Each layer consists of weights, [input][output], and biases, [output].
    """
    steps, codes, sizes = [], [], []
    for weights, biases in layers:
        numbers = np.concatenate([np.ravel(weights), np.ravel(biases)])
        step = float(f"{np.abs(numbers).max() / 2_047:.4g}") * 1.001
        steps.append(f"{step:.5g}")
        sizes.append(numbers.size)
        codes.append(np.clip(np.round(numbers / float(steps[-1])).astype(int) + 2_048, 0, 4_095))
    codes = np.concatenate(codes)
    text = "".join(chr(48 + code // 64) + chr(48 + code % 64) for code in codes)
    lines = "\n".join("    " + text[start : start + 96] for start in range(0, len(text), 96))
    rows = "\n".join(f"    ({step}, {size:_})," for step, size in zip(steps, sizes))
    return f'''  /// All layers, each `[input][output]` and then its biases `[output]`.
  static var packed: PackedWeights {{ PackedWeights(steps: steps, text: text) }}

  private static let steps: [(Float, Int)] = [
{rows}
  ]

  private static let text = #"""
{lines}
    """#
'''
