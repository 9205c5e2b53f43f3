internal import HearingDSP
internal import HearingBuffers

/// Tracks the noise floor in sixteen bands. The floor is the minimum of the smoothed level over the
/// last two seconds.
///
/// The method is minimum statistics (Martin, IEEE Transactions on Speech and Audio Processing 9,
/// 2001). The floor is the minimum over ten sections of 200 ms. When a new section is complete, the
/// oldest section is dropped. Levels are logarithms to base 2.
struct BandFloors: ~Copyable {
  /// The number of frames (200 ms) in a section.
  private static let sectionLength = 20
  private static let sectionCount = 10

  /// The number of vectors of four bands.
  private static let vectorCount = 4

  /// The minimum level of each section, `[section][band]`.
  private let sections = OwnedRow<Float>.filled(0, count: 16 * sectionCount)
  /// The minimum level of the current section so far, `[band]`.
  private let current = OwnedRow<Float>.filled(0, count: 16)
  /// The smoothed levels, `[band]`.
  private let smoothed = OwnedRow<Float>.filled(0, count: 16)
  /// The noise floors, `[band]`.
  let floors = OwnedRow<Float>.filled(0, count: 16)
  private var count = 0
  private var section = 0
  private var isFirst = true

  mutating func reset() {
    count = 0
    section = 0
    isFirst = true
  }

  /// Adds the levels of a frame.
  mutating func add(_ levels: Row<Float>) {
    if isFirst { begin(levels) }
    count += 1
    let isComplete = count == Self.sectionLength
    for vector in 0..<Self.vectorCount {
      let offset = 4 * vector
      let now = smoothed.float4(at: offset)
      let next = now + (levels.float4(at: offset) - now) * 0.25
      smoothed.setFloat4(next, at: offset)
      var minimum = current.float4(at: offset).smaller(next)
      current.setFloat4(minimum, at: offset)
      if isComplete {
        sections.setFloat4(minimum, at: 16 * section + offset)
        current.setFloat4(next, at: offset)
        for index in 0..<Self.sectionCount {
          minimum = minimum.smaller(sections.float4(at: 16 * index + offset))
        }
        floors.setFloat4(minimum, at: offset)
      } else {
        floors.setFloat4(floors.float4(at: offset).smaller(minimum), at: offset)
      }
    }
    if isComplete {
      count = 0
      section = (section + 1) % Self.sectionCount
    }
  }

  private mutating func begin(_ levels: Row<Float>) {
    isFirst = false
    for vector in 0..<Self.vectorCount {
      let level = levels.float4(at: 4 * vector)
      smoothed.setFloat4(level, at: 4 * vector)
      current.setFloat4(level, at: 4 * vector)
      floors.setFloat4(level, at: 4 * vector)
      for index in 0..<Self.sectionCount {
        sections.setFloat4(level, at: 16 * index + 4 * vector)
      }
    }
  }
}
