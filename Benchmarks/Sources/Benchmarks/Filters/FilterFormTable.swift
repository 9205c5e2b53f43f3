/// The cost of both filter forms for twelve sections and two channels, as in the processor's
/// cascade.
enum FilterFormTable {
  static func print() {
    Swift.print("Filter forms: twelve sections, stereo, ns per frame")
    var table = Table("coefficients", "direct form", "state-variable", "ratio")
    for isRamped in [false, true] {
      let direct = cost(DirectForm.self, isRamped: isRamped)
      let state = cost(StateVariableForm.self, isRamped: isRamped)
      table.add(
        isRamped ? "ramped at every sample" : "static", direct.digits(2), state.digits(2),
        (state / direct).digits(2))
    }
    table.print()
  }

  private static func cost<Form: FilterForm>(_ form: Form.Type, isRamped: Bool) -> Double {
    let noise = (0..<48_000).map { _ in Float.random(in: -0.1...0.1) }
    var left = (Form(), Form(), Form())
    var right = (Form(), Form(), Form())
    var skewed = (SIMD4<Float>.zero, SIMD4<Float>.zero, SIMD4<Float>.zero)
    var other = skewed
    var sum: Float = 0
    let cost = Measurement.nanoseconds(operations: noise.count) {
      noise.withUnsafeBufferPointer { noise in
        for sample in noise {
          step(&left, &skewed, sample)
          step(&right, &other, -sample)
          if isRamped {
            left.0.advance()
            left.1.advance()
            left.2.advance()
            right.0.advance()
            right.1.advance()
            right.2.advance()
          }
          sum += skewed.2[3] + other.2[3]
        }
      }
    }
    keep(sum)
    return cost.best
  }

  /// Filters a sample with three vectors of sections. `last` contains their previous outputs.
  @inline(__always)
  private static func step<Form: FilterForm>(
    _ forms: inout (Form, Form, Form),
    _ last: inout (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>), _ sample: Float
  ) {
    let third = forms.2.filter(skew(last.2, first: last.1[3]))
    let second = forms.1.filter(skew(last.1, first: last.0[3]))
    last.0 = forms.0.filter(skew(last.0, first: sample))
    last.1 = second
    last.2 = third
  }

  @inline(__always)
  private static func skew(_ last: SIMD4<Float>, first: Float) -> SIMD4<Float> {
    SIMD4(first, last[0], last[1], last[2])
  }
}
