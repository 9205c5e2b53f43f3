internal import HearingBuffers
internal import HearingDSP

/// Measures how the spectrum of a signal changes over time. The result is suitable for a display.
///
///     var spectrogram = Spectrogram(sampleRate: 48_000)
///     spectrogram.add(samples, frameCount: 480)
///     spectrogram.columns          // for each time span, the level of each band
///
/// The frequency bands cover the range from 100 Hz to half the sample rate. Each band is a sixth of
/// an octave wide. Only the last band may be narrower. Each column contains the band levels for a
/// time span of ``secondsPerColumn``. When the number of columns would exceed ``columnLimit``, each
/// pair of neighbouring columns is merged into one column. Therefore the memory of a spectrogram
/// does not grow with the length of the signal. Infinite samples and NaN samples count as 0.
///
/// Do not use a spectrogram to measure exact levels over time. Each Fourier transform uses a window
/// of 30 to 60 ms. Therefore a sound that is much shorter than the window appears about as long as
/// the window. For long-term levels, use ``ThirdOctaveSpectrum``.
public struct Spectrogram: Sendable {
  /// The band edges in Hz, in ascending order. The number of edges is the number of bands plus 1.
  public let edges: [Double]

  /// The maximum number of columns.
  public let columnLimit: Int

  /// The duration in seconds of the signal section that a column describes.
  public var secondsPerColumn: Double {
    Double(windows.hop * transformsPerColumn) / windows.sampleRate
  }

  private var windows: OverlappingWindows
  /// For each column, one sum per band: the power in the band, summed over the Fourier transforms
  /// of the column.
  private var sums: [[Double]] = []
  private var transformsPerColumn = 1
  private var transformCount = 0

  /// Creates a spectrogram without columns.
  ///
  /// - Parameters:
  ///   - sampleRate: The sample rate in Hz, at least 1,000.
  ///   - columnLimit: The maximum number of columns. `columnLimit` must be even and at least 2.
  public init(sampleRate: Double, columnLimit: Int = 200) {
    precondition(sampleRate.isFinite && sampleRate >= 1_000, "a sample rate of \(sampleRate) Hz")
    precondition(
      columnLimit >= 2 && columnLimit.isMultiple(of: 2), "at most \(columnLimit) columns")
    self.columnLimit = columnLimit
    windows = OverlappingWindows(sampleRate: sampleRate, maximumDuration: 0.06, channelCount: 1)
    var edges = [100.0]
    let ratio = CMath.power(2, 1 / 6)
    while let last = edges.last, last * ratio < sampleRate / 2 * 0.999 {
      edges.append(last * ratio)
    }
    edges.append(sampleRate / 2)
    self.edges = edges
  }

  /// Measures `frameCount` samples.
  public mutating func add(_ samples: UnsafePointer<Float>, frameCount: Int) {
    precondition(frameCount >= 0, "\(frameCount) frames")
    // Unsafe: the caller guarantees `frameCount` samples.
    let samples = unsafe Row(reading: samples, count: frameCount)
    var done = 0
    while done < frameCount {
      done += windows.append(frameCount - done) { _ in samples.from(done) }
      if windows.isComplete { addTransform() }
    }
  }

  /// For each column in time order, the level of each band in dB relative to an RMS of 1.0. The
  /// level of silence is −∞. The last column may describe a shorter time span than the other
  /// columns.
  public var columns: [[Double]] {
    sums.enumerated().map { index, bands in
      let count = min(transformsPerColumn, transformCount - index * transformsPerColumn)
      return bands.map { CMath.decibels(power: $0 / Double(windows.hop * count)) }
    }
  }

  private mutating func addTransform() {
    windows.resetPowers()
    windows.transform()
    if transformCount == columnLimit * transformsPerColumn { joinColumns() }
    if transformCount.isMultiple(of: transformsPerColumn) {
      sums.append(Array(repeating: 0, count: edges.count - 1))
    }
    transformCount += 1
    for band in 0..<edges.count - 1 {
      sums[sums.count - 1][band] += windows.power(0, from: edges[band], to: edges[band + 1])
    }
  }

  /// Merges each pair of neighbouring columns into one column.
  private mutating func joinColumns() {
    sums = stride(from: 0, to: sums.count, by: 2).map { column in
      zip(sums[column], sums[column + 1]).map { first, second in first + second }
    }
    transformsPerColumn *= 2
  }
}
