/// Sections of one channel's cascade while a run of samples passes through them.
///
/// It holds the state of up to three vectors in local variables for the length of a run.
protocol CascadeStage {
  /// Takes the state of the sections at `sections` over.
  init(_ sections: UnsafeMutablePointer<LaneSections>)

  /// One sample per lane through the sections.
  mutating func filter(_ x: Float4) -> Float4

  /// The same, but where the mask does not hold everything stays as it was.
  mutating func filter(_ x: Float4, where mask: SIMDMask<SIMD4<Int32>>) -> Float4

  /// Gives the state back to the sections at `sections`.
  func store(_ sections: UnsafeMutablePointer<LaneSections>)

  /// How many vectors of sections it has.
  static var depth: Int { get }
}

extension CascadeStage {
  static var depth: Int {
    @inline(__always) get { 1 }
  }
}
