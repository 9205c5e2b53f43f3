import HearingDSP

/// A sample rate, and a layout that this rate supports.
struct Stream {
  let name: String
  let rate: Double
  let layout: BandLayout

  /// All layouts, each with all sample rates for which the documentation states figures.
  static func all() throws -> [Stream] {
    let custom = try BandLayout(centers: [200, 400, 500, 900, 1_800, 2_500, 4_000, 7_000])
    let layouts: [(String, BandLayout)] = [
      ("audiometric", .audiometric), ("octave", .octave), ("third-octave", .thirdOctave),
      ("custom", custom),
    ]
    return [16_000.0, 44_100, 48_000, 96_000, 192_000].flatMap { rate in
      layouts.compactMap { name, layout in
        layout.limited(to: rate).map {
          Stream(name: "\(name) at \(rate / 1_000) kHz", rate: rate, layout: $0)
        }
      }
    }
  }

  /// Creates a processor with this sample rate and layout. The limiter of the processor limits each
  /// channel independently.
  func processor(channels: Int = 1) throws -> BandGainProcessor {
    try BandGainProcessor(
      spec: ProcessingSpec(sampleRate: rate, channelCount: channels), layout: layout,
      limiter: LimiterConfiguration(isLinked: false))
  }

  /// The same curve in every band.
  func curves(_ curve: BandCurve) -> [BandCurve] {
    Array(repeating: curve, count: layout.centers.count)
  }
}
