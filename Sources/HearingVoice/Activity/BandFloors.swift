internal import HearingDSP

/// Follows the floor of the noise in several bands: the least smoothed level of the last two
/// seconds.
///
/// Minimum statistics after Martin (2001), with levels in powers of two: the minimum of ten stretches
/// of 200 ms, the oldest of which is dropped when one is complete.
struct BandFloors {
  private static var stretchLength: Int {
    @_noLocks @_noAllocation @inline(__always) get { 20 }
  }
  private static var stretchCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { 10 }
  }

  /// Bands in fours.
  static var vectorCount: Int {
    @_noLocks @_noAllocation @inline(__always) get { 4 }
  }

  /// Numbers that are kept.
  static var storage: Int { 16 * (10 + 3) }

  /// Minimum of each stretch; of the one under way; smoothed levels; floors.
  private let stretches: UnsafeMutablePointer<Float>
  private let current: UnsafeMutablePointer<Float>
  private let smoothed: UnsafeMutablePointer<Float>
  /// The floors.
  let floors: UnsafeMutablePointer<Float>
  private var count = 0
  private var stretch = 0
  private var isFirst = true

  init(store: inout FloatStore) {
    stretches = store.take(16 * 10)
    current = store.take(16)
    smoothed = store.take(16)
    floors = store.take(16)
  }

  @_noLocks @_noAllocation
  mutating func clear() {
    count = 0
    stretch = 0
    isFirst = true
  }

  /// Takes in the levels of a frame.
  @_noLocks @_noAllocation
  mutating func hear(_ levels: UnsafeMutablePointer<Float>) {
    if isFirst { begin(levels) }
    count += 1
    let isComplete = count == Self.stretchLength
    for vector in 0..<Self.vectorCount {
      let place = 4 * vector
      let now = smoothed.float4(at: place)
      let next = now + (levels.float4(at: place) - now) * 0.25
      smoothed.setFloat4(next, at: place)
      var least = Self.smaller(current.float4(at: place), next)
      current.setFloat4(least, at: place)
      if isComplete {
        stretches.setFloat4(least, at: 16 * stretch + place)
        current.setFloat4(next, at: place)
        for index in 0..<Self.stretchCount {
          least = Self.smaller(least, stretches.float4(at: 16 * index + place))
        }
        floors.setFloat4(least, at: place)
      } else {
        floors.setFloat4(Self.smaller(floors.float4(at: place), least), at: place)
      }
    }
    if isComplete {
      count = 0
      stretch = (stretch + 1) % Self.stretchCount
    }
  }

  @_noLocks @_noAllocation
  private mutating func begin(_ levels: UnsafeMutablePointer<Float>) {
    isFirst = false
    for vector in 0..<Self.vectorCount {
      let level = levels.float4(at: 4 * vector)
      smoothed.setFloat4(level, at: 4 * vector)
      current.setFloat4(level, at: 4 * vector)
      floors.setFloat4(level, at: 4 * vector)
      for index in 0..<Self.stretchCount {
        stretches.setFloat4(level, at: 16 * index + 4 * vector)
      }
    }
  }

  @_noLocks @_noAllocation @inline(__always)
  private static func smaller(_ one: Float4, _ other: Float4) -> Float4 {
    one.replacing(with: other, where: other .< one)
  }
}
