"""Weights of a network as Swift source.

Each weight is rounded to 12 bits and written as two characters. Each layer has its own step size.
"""
import re
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


def read(source, shapes):
    """The weights and biases of all layers, from Swift source that `swift` has written.

    `shapes` contains the shape of the weights of each layer, (inputs, outputs).
    """
    text = "".join(line.strip() for line in source.split('#"""')[1].split('"""#')[0].splitlines())
    codes = np.frombuffer(text.encode(), np.uint8).astype(int) - 48
    numbers, result = codes[0::2] * 64 + codes[1::2] - 2_048, []
    for (inputs, outputs), step in zip(shapes, re.findall(r"^    \(([\d.e-]+), [\d_]+\),$", source, re.MULTILINE)):
        layer, numbers = numbers[: (inputs + 1) * outputs] * float(step), numbers[(inputs + 1) * outputs :]
        result.append((layer[: inputs * outputs].reshape(inputs, outputs), layer[inputs * outputs :]))
    assert not len(numbers), "the source has other layers"
    return result
