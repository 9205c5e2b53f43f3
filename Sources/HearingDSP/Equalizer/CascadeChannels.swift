internal import HearingBuffers

/// The number of channels that a ``Cascade`` filters, as a type, so that the compiler creates
/// separate loops for each number.
protocol CascadeWidth {
  static var isPair: Bool { get }
}

enum OneChannel: CascadeWidth {
  static var isPair: Bool {
    @inline(__always) get { false }
  }
}

enum TwoChannels: CascadeWidth {
  static var isPair: Bool {
    @inline(__always) get { true }
  }
}

/// The samples and the sections of the one or two channels of a ``Cascade``.
struct CascadeChannels: BitwiseCopyable {
  let left: Row<Float>
  let right: Row<Float>
  let leftSections: CascadeSections
  let rightSections: CascadeSections

  @inline(__always)
  init(
    left: Row<Float>, right: Row<Float>,
    leftSections: CascadeSections, rightSections: CascadeSections
  ) {
    self.left = left
    self.right = right
    self.leftSections = leftSections
    self.rightSections = rightSections
  }

  /// The same samples, and the sections after the first `vectors`.
  @inline(__always)
  func advanced(by vectors: Int) -> Self {
    Self(
      left: left, right: right, leftSections: leftSections + vectors,
      rightSections: rightSections + vectors)
  }
}
