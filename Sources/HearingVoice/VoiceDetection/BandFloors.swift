internal import HearingDSP
internal import HearingBuffers

/// Tracks the noise floor in sixteen bands. The floor is the minimum of the smoothed level over the
/// last two seconds.
///
/// The method is minimum statistics (Martin, IEEE Transactions on Speech and Audio Processing 9,
/// 2001). The last two seconds are stored as ten sections of 200 ms. When a new section is
/// complete, the new section replaces the oldest section. Levels are logarithms to base 2.
struct BandFloors: ~Copyable {
  /// The number of frames (200 ms) in a section.
  private static let sectionLength = 20
  private static let sectionCount = 10
  private static let bandCount = 16

  /// The minimum level of each band in each section. There is one row of bands per section.
  private let sections = OwnedRow<Float>.filled(0, count: bandCount * sectionCount)
  /// The minimum level of each band since the start of the newest, incomplete section of 200 ms.
  private let current = OwnedRow<Float>.filled(0, count: bandCount)
  /// The smoothed levels, one value per band.
  private let smoothed = OwnedRow<Float>.filled(0, count: bandCount)
  /// The noise floors, one value per band.
  let floors = OwnedRow<Float>.filled(0, count: bandCount)
  private var count = 0
  private var section = 0
  private var isFirst = true

  init() { reset() }

  mutating func reset() {
    sections.fill(.greatestFiniteMagnitude)
    current.fill(.greatestFiniteMagnitude)
    floors.fill(.greatestFiniteMagnitude)
    smoothed.fill(0)
    (count, section, isFirst) = (0, 0, true)
  }

  /// Adds the levels of a frame.
  mutating func add(_ levels: Row<Float>) {
    let fraction: Float = isFirst ? 1 : 0.25
    isFirst = false
    count += 1
    let isComplete = count == Self.sectionLength
    for offset in groupStarts(Self.bandCount) {
      let now = smoothed.float4(at: offset)
      let next = now + (levels.float4(at: offset) - now) * fraction
      smoothed.setFloat4(next, at: offset)
      var minimum = current.float4(at: offset).smaller(next)
      current.setFloat4(minimum, at: offset)
      if isComplete {
        sections.setFloat4(minimum, at: Self.bandCount * section + offset)
        current.setFloat4(next, at: offset)
        for index in 0..<Self.sectionCount {
          minimum = minimum.smaller(sections.float4(at: Self.bandCount * index + offset))
        }
        floors.setFloat4(minimum, at: offset)
      } else {
        floors.setFloat4(floors.float4(at: offset).smaller(minimum), at: offset)
      }
    }
    if isComplete { (count, section) = (0, (section + 1) % Self.sectionCount) }
  }
}
