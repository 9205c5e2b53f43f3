/// Four sections of one channel of a ``Cascade``. The state of the sections is in local variables
/// during a run of samples.
protocol SectionVector {
  /// The state s1 / g of ``SectionCoefficients``.
  var s1: Float4 { get set }
  /// The state s2 of ``SectionCoefficients``.
  var s2: Float4 { get set }

  /// Loads the first section vector of a channel.
  init(_ channel: CascadeChannel)

  /// Advances the coefficients by one sample.
  mutating func advance()

  /// Advances the coefficients by one sample where `mask` is true.
  mutating func advance(where mask: SIMDMask<SIMD4<Int32>>)

  /// Returns the output for the input `x`, and the state after this input.
  func result(_ x: Float4) -> (output: Float4, s1: Float4, s2: Float4)

  /// Stores the changed values in the first section vector of a channel.
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
