/// Divides wanted gains among the sections of a cascade: the constant matrix, and what it takes to
/// see what has come of it.
///
/// The same for every channel and all settings. A value of pointers; whoever creates it calls
/// `deallocate()`.
struct GainDivision {
  /// Where the gain is held: one more than the bands at either end.
  let anchorCount: Int
  let vectorCount: Int

  /// Gain of each section (as in ``LaneTarget/gain``) per dB wanted at an anchor,
  /// `[anchor][vector]`.
  let columns: UnsafeMutablePointer<Lanes>
  /// Logarithm to base 2 of the broadband gain per dB wanted at an anchor.
  let broadband: UnsafeMutablePointer<Float>

  /// How much of each bell's skirt there is at an anchor, 0 at its centre … 1, `[anchor][vector]`.
  let skirts: UnsafeMutablePointer<Lanes>
  /// (f / f0)² of the shelves at an anchor, and the same over quality²; f as tan(π f / rate).
  let shelfSquares: UnsafeMutablePointer<Lanes>
  let shelfBands: UnsafeMutablePointer<Lanes>
  /// Not 0 in the lanes of the first vector that hold shelves.
  let shelves: SIMD4<Int32>

  init(anchorCount: Int, vectorCount: Int) {
    self.anchorCount = anchorCount
    self.vectorCount = vectorCount
    func memory<Element: BitwiseCopyable>(
      _ value: Element, _ count: Int
    ) -> UnsafeMutablePointer<Element> {
      let pointer = UnsafeMutablePointer<Element>.allocate(capacity: count)
      pointer.initialize(repeating: value, count: count)
      return pointer
    }
    columns = memory(.zero, anchorCount * vectorCount)
    broadband = memory(0, anchorCount)
    skirts = memory(Lanes(repeating: 1), anchorCount * vectorCount)
    shelfSquares = memory(Lanes(repeating: 1), anchorCount)
    shelfBands = memory(Lanes(repeating: 1), anchorCount)
    var shelves = SIMD4<Int32>.zero
    for lane in 0..<LaneTarget.shelfCount { shelves[lane] = 1 }
    self.shelves = shelves
  }

  func deallocate() {
    columns.deallocate()
    broadband.deallocate()
    skirts.deallocate()
    shelfSquares.deallocate()
    shelfBands.deallocate()
  }

  /// Writes the gains of the sections that together come close to `wanted`, in dB at each anchor,
  /// to `sections`.
  ///
  /// - Returns: the logarithm to base 2 of the broadband gain.
  @_noLocks @_noAllocation @inline(__always)
  func divide(_ wanted: UnsafePointer<Float>, to sections: UnsafeMutablePointer<Lanes>) -> Float {
    var shared: Float = 0
    for anchor in 0..<anchorCount { shared += broadband[anchor] * wanted[anchor] }
    var swell = abs(shared) * 0.5
    for vector in 0..<vectorCount {
      var sum = Lanes.zero
      for anchor in 0..<anchorCount {
        sum += columns[anchor * vectorCount + vector] * wanted[anchor]
      }
      sections[vector] = sum
      let magnitude = sum.replacing(with: -sum, where: sum .< 0)
      swell += (magnitude[0] + magnitude[1]) + (magnitude[2] + magnitude[3])
    }
    guard swell > Self.mostSwell else { return shared }
    // Bands a hair apart that ask for opposite gains make sections fight without end.
    let share = Self.mostSwell / swell
    for vector in 0..<vectorCount { sections[vector] *= share }
    return shared * share
  }

  /// The gain in dB at an anchor of a cascade with these gains.
  @_noLocks @_noAllocation @inline(__always)
  func response(
    at anchor: Int, of sections: UnsafePointer<Lanes>, broadband shared: Float
  ) -> Float {
    var sum = Lanes.zero
    for vector in 0..<vectorCount {
      let root = sections[vector].powerOfTwo
      let amplitude = root * root
      let skirt = skirts[anchor * vectorCount + vector]
      let band = 1 - skirt
      var over = skirt + band * amplitude
      var under = skirt + band / amplitude
      if vector == 0 {
        let isShelf = shelves .!= 0
        let square = shelfSquares[anchor]
        let band = root * shelfBands[anchor]
        let above = root - square
        let below = 1 - root * square
        over = over.replacing(with: amplitude * (above * above + band), where: isShelf)
        under = under.replacing(with: below * below + band, where: isShelf)
      }
      sum += (over / under).binaryLogarithm
    }
    let decibelsPerOctave: Float = 3.010_3
    return decibelsPerOctave * (2 * shared + (sum[0] + sum[1]) + (sum[2] + sum[3]))
  }

  /// How loud sound may become inside the cascade before other sections lower it again: 360 dB, in
  /// the unit of a section's gain.
  private static var mostSwell: Float {
    @_noLocks @_noAllocation @inline(__always) get { 30 }
  }
}
