internal import HearingBuffers
internal import HearingDSP

/// Measures the long-term level in third-octave bands.
///
///     var spectrum = ThirdOctaveSpectrum(sampleRate: 48_000, channelCount: 2)
///     spectrum.add(block)
///     for (frequency, level) in zip(spectrum.frequencies, spectrum.levels(channel: 0)) {
///       print(frequency, "Hz:", level + fullScaleSPL, "dB SPL")
///     }
///
/// The level of a band is the mean power in the band over all frames, in dB relative to an RMS of
/// 1.0. The powers of all bands add up to the power of the signal between the lowest and the
/// highest band edge.
///
/// The powers are measured with overlapping Fourier transforms and Hann windows. The window of each
/// transform has a length of 0.3 to 0.7 s. Each window begins a quarter of this length after the
/// previous window. If the distance between a tone and a band edge is less than two bins of the
/// Fourier transform, part of the tone's power counts in the neighbouring band. Infinite samples
/// and NaN samples count as 0. The memory of the meter does not grow with the length of the signal.
/// For two channels, the meter needs 1.4 MB of memory at a sample rate of 48 kHz, and 5.4 MB at 192
/// kHz.
///
/// For current levels, use ``BandLevelMeter``.
public struct ThirdOctaveSpectrum: Sendable {
  /// The third-octave bands of IEC 61260-1 from 25 Hz to 20 kHz. Bands that extend above half the
  /// sample rate are omitted.
  package let bands: [Band]

  /// The number of frames measured so far.
  public private(set) var frameCount = 0

  private var windows: OverlappingWindows

  /// Creates a meter that has not measured any samples yet.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz, more than 0.
  ///   - channelCount: The number of channels, at least 1.
  public init(sampleRate: Double, channelCount: Int) {
    precondition(sampleRate.isFinite && sampleRate > 0, "a sample rate of \(sampleRate) Hz")
    precondition(channelCount >= 1, "\(channelCount) channels")
    bands = Band.standard.filter { $0.upperEdge <= sampleRate / 2 }
    windows = OverlappingWindows(
      sampleRate: sampleRate, maximumDuration: 0.7, channelCount: channelCount)
  }

  /// The number of channels.
  public var channelCount: Int { windows.channelCount }

  /// Measures `frameCount` frames of ``channelCount`` channels.
  public mutating func add(
    _ channels: UnsafePointer<UnsafeMutablePointer<Float>>, frameCount: Int
  ) {
    // Unsafe: the caller guarantees that each row has `frameCount` frames.
    let rows = unsafe ChannelRows(
      pointers: channels, channelCount: channelCount, frameCount: frameCount)
    var done = 0
    while done < frameCount {
      done += windows.append(frameCount - done) { rows[$0].from(done) }
      if windows.isComplete { windows.transform() }
    }
    self.frameCount += frameCount
  }

  /// Measures the valid frames of `block`, which has ``channelCount`` channels.
  public mutating func add(_ block: AudioBlock) {
    block.check(channelCount)
    // Unsafe: each row of the block has `frameCount` frames.
    unsafe add(block.channels, frameCount: block.frameCount)
  }

  /// The nominal centre frequencies of the bands in Hz, such as 1250, in ascending order. The bands
  /// are the third-octave bands of IEC 61260-1 from 25 Hz to 20 kHz. Bands that extend above half
  /// the sample rate are omitted.
  public var frequencies: [Double] { bands.map(\.nominalFrequency) }

  /// For each of ``frequencies``, the level of the band in dB relative to an RMS of 1.0. The level
  /// of silence is −∞.
  public func levels(channel: Int) -> [Double] {
    levels(in: bands, channel: channel)
  }

  /// The level in each of `bands` in dB relative to an RMS of 1.0. For silence and for bands above
  /// half the sample rate, the level is −∞.
  package func levels(in bands: [Band], channel: Int) -> [Double] {
    precondition((0..<channelCount).contains(channel), "channel \(channel) of \(channelCount)")
    guard frameCount > 0 else { return bands.map { _ in -.infinity } }
    var windows = windows
    // The samples after the last complete transform have not been transformed yet. The loop
    // transforms these samples, followed by zeros.
    for _ in 0..<OverlappingWindows.overlap { windows.transform() }
    return bands.map { band in
      let power = windows.power(channel, from: band.lowerEdge, to: band.upperEdge)
      return CMath.decibels(power: power / Double(frameCount))
    }
  }
}

extension ThirdOctaveSpectrum {
  /// A third-octave band according to IEC 61260-1. The ratio of neighbouring centre frequencies is
  /// 10^(1/10).
  package struct Band: Sendable, Equatable {
    /// The nominal centre frequency in Hz, such as 1250.
    package let nominalFrequency: Double
    /// The lower edge of the band in Hz.
    package let lowerEdge: Double
    /// The upper edge of the band in Hz.
    package let upperEdge: Double

    /// Creates the band around the centre frequency `center` in Hz. `nominalFrequency` is the
    /// rounded frequency in Hz that the standard uses as the name of a band. If `nominalFrequency`
    /// is nil, the nominal frequency is `center`.
    package init(around center: Double, nominalFrequency: Double? = nil) {
      self.nominalFrequency = nominalFrequency ?? center
      lowerEdge = center * CMath.power(decibels: -0.5)
      upperEdge = center * CMath.power(decibels: 0.5)
    }

    /// The third-octave bands of IEC 61260-1 from 25 Hz to 20 kHz, in ascending order.
    package static let standard: [Band] = zip(14..., nominalFrequencies).map { number, nominal in
      Band(around: CMath.power(decibels: Double(number)), nominalFrequency: nominal)
    }

    private static let nominalFrequencies: [Double] = [
      25, 31.5, 40, 50, 63, 80, 100, 125, 160, 200, 250, 315, 400, 500, 630, 800, 1000, 1250, 1600,
      2000, 2500, 3150, 4000, 5000, 6300, 8000, 10_000, 12_500, 16_000, 20_000,
    ]
  }
}
