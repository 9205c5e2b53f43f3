import HearingDSP

/// Encodes processor settings as a list of numbers, which the page sends to its audio worklet.
///
/// | numbers | content |
/// |---|---|
/// | 1 | ``version`` |
/// | 5 | intensity, channel linking, full scale (dB SPL), exceeding it (0/1), enabled (0/1) |
/// | 2 | number of channels, number of bands |
/// | 1 per channel | output ceiling in dB SPL, followed by its bands |
/// | 4 per band | attack time, release time, maximum output (dB SPL; NaN: none), number of points |
/// | 2 per point | level in dB SPL, gain in dB |
enum SettingsCode {
  /// The first number. It changes if the format of the other numbers changes.
  static let version = 1.0

  /// Encodes `settings` as numbers.
  static func encode(_ settings: ProcessorSettings) -> [Double] {
    var numbers = [
      version, settings.intensity, settings.channelLinking, settings.calibration.fullScaleSPL,
      settings.allowsOutputAboveFullScale ? 1 : 0, settings.isEnabled ? 1 : 0,
      Double(settings.curves.count), Double(settings.curves.first?.count ?? 0),
    ]
    for (curves, ceiling) in zip(settings.curves, settings.outputCeilings) {
      numbers.append(ceiling)
      for curve in curves {
        numbers += [
          curve.attackTime, curve.releaseTime, curve.maximumOutput ?? .nan,
          Double(curve.points.count),
        ]
        for point in curve.points { numbers += [point.level, point.gain] }
      }
    }
    return numbers
  }

  /// Decodes settings from numbers. Checks the format and the curves. The processor checks all
  /// other ranges when it applies the settings.
  static func decode(
    _ numbers: UnsafeBufferPointer<Double>
  ) throws(WebFailure) -> ProcessorSettings {
    var reader = NumberReader(numbers)
    guard try reader.next() == version else { throw .damagedSettings }
    let intensity = try reader.next()
    let linking = try reader.next()
    let fullScale = try reader.next()
    let isOpen = try reader.next() == 1
    let isEnabled = try reader.next() == 1
    let channelCount = try reader.count(in: ProcessingSpec.supportedChannelCounts)
    let bandCount = try reader.count(in: BandLayout.supportedBandCounts)
    var curves: [[BandCurve]] = []
    var ceilings: [Double] = []
    for _ in 0..<channelCount {
      ceilings.append(try reader.next())
      var channel: [BandCurve] = []
      for _ in 0..<bandCount { channel.append(try curve(&reader)) }
      curves.append(channel)
    }
    guard reader.isAtEnd else { throw .damagedSettings }
    return ProcessorSettings(
      curves: curves, outputCeilings: ceilings, allowsOutputAboveFullScale: isOpen,
      intensity: intensity, isEnabled: isEnabled, channelLinking: linking,
      calibration: Calibration(fullScaleSPL: fullScale))
  }

  private static func curve(_ reader: inout NumberReader) throws(WebFailure) -> BandCurve {
    let attack = try reader.next()
    let release = try reader.next()
    let maximum = try reader.next()
    let count = try reader.count(in: BandCurve.supportedPointCounts)
    var points: [BandCurve.Point] = []
    for _ in 0..<count {
      let level = try reader.next()
      points.append(BandCurve.Point(level: level, gain: try reader.next()))
    }
    do throws(BandCurve.Invalid) {
      return try BandCurve(
        points: points, attackTime: attack, releaseTime: release,
        maximumOutput: maximum.isNaN ? nil : maximum)
    } catch {
      throw .damagedSettings
    }
  }
}

/// Reads a list of numbers from the start.
private struct NumberReader {
  private let numbers: UnsafeBufferPointer<Double>
  private var position = 0

  init(_ numbers: UnsafeBufferPointer<Double>) {
    self.numbers = numbers
  }

  var isAtEnd: Bool { position == numbers.count }

  mutating func next() throws(WebFailure) -> Double {
    guard !isAtEnd else { throw .damagedSettings }
    defer { position += 1 }
    return numbers[position]
  }

  mutating func count(in range: ClosedRange<Int>) throws(WebFailure) -> Int {
    let number = try next()
    guard let count = Int(exactly: number), range.contains(count) else { throw .damagedSettings }
    return count
  }
}
