/// Four filter sections of one channel of a ``Cascade``. A loop loads the state of the sections
/// into local variables, filters the samples, and then stores the state.
protocol SectionVector {
  /// The filter state s1 / g in the equations of ``SectionCoefficients``.
  var s1: Float4 { get set }
  /// The filter state s2 in the equations of ``SectionCoefficients``.
  var s2: Float4 { get set }

  /// Loads the states and coefficients of the first four sections of a channel.
  init(_ channel: CascadeChannel)

  /// Advances the coefficients by one sample.
  mutating func advance()

  /// Advances the coefficients by one sample in the lanes where `mask` is true.
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>)

  /// Returns the output for the input `x`, and the state after this input.
  func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4)

  /// Stores the changed states and coefficients in the first four sections of a channel.
  func store(_ channel: CascadeChannel)
}

extension SectionVector {
  /// Filters one sample in each lane.
  @inline(__always)
  mutating func filter(_ x: Float4) -> Float4 {
    advance()
    let output: Float4
    (output, s1, s2) = result(x)
    return output
  }

  /// Filters one sample in each lane where `mask` is true. The state of the other lanes does not
  /// change.
  @inline(__always)
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4 {
    advance(where: mask)
    let (output, new1, new2) = result(x)
    s1 = s1.replacing(with: new1, where: mask)
    s2 = s2.replacing(with: new2, where: mask)
    return output
  }
}
