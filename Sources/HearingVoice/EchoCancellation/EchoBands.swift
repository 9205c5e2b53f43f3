internal import HearingDSP
internal import HearingBuffers

/// Computes the powers of three signals in frequency bands: the microphone signal, the echo
/// estimate and the reference. The reference is the playback signal. Every 10 ms, the powers of the
/// last 20 ms are computed.
///
/// The width of the bands is 100 Hz below 2 kHz, 200 Hz from 2 to 4 kHz, and 400 Hz from 4 to 8
/// kHz. Above 8 kHz, the width is 1 kHz. Frequencies below 80 Hz are ignored, because DC offset and
/// rumble contain no information about speech. The powers are scaled so that the sum of all powers
/// is the mean square of the samples in the last 20 ms.
struct EchoBands: ~Copyable {
  /// The number of bands.
  let count: Int
  /// The number of bands, rounded up to a multiple of four.
  let padded: Int
  /// The power of the reference, one value per band.
  let reference = row()
  /// The power of the echo estimate, one value per band.
  let echo = row()
  /// The power of the microphone signal, one value per band.
  let microphone = row()
  /// The real part of the cross-spectrum of the echo estimate and the microphone signal, one value
  /// per band.
  let product = row()

  private let transform: SpectrumAnalyzer
  private let length: Int
  /// The samples of the reference, the echo estimate and the microphone signal. For each signal,
  /// the row contains the samples before the current 10 ms frame, followed by the samples of the
  /// current frame.
  private let histories: OwnedRow<Float>
  private var filled = 0
  private let spectra: Spectra
  /// The index of the first bin of each band. The last element is the number of bins.
  private let edges: OwnedRow<Int32>
  /// Computes one value per bin by interpolation between the centres of the bands.
  let interpolation: BandInterpolation

  /// Creates a row with one element per band. At any sample rate, there are at most 80 bands.
  /// Therefore the row has 80 elements.
  static func row() -> OwnedRow<Float> { .filled(0, count: 80) }

  init(sampleRate: Double) {
    length = 4 * Int(0.005 * sampleRate)
    let size = SpectrumAnalyzer.size(for: length)
    let bins = size / 2 + 1
    transform = SpectrumAnalyzer(Self.window(length: length, size: size), size: size)
    let width = sampleRate / Double(size)
    count = 1 + Self.band(at: Double(bins - 2) * width)
    padded = (count + 3) / 4 * 4
    histories = .filled(0, count: 3 * (length + UplinkRun.capacity))
    spectra = Spectra(stride: size / 2 + 4, count: 3)
    edges = .filled(0, count: count + 1)
    let (edges, bandCount) = (edges.row, count)
    for bin in (0..<bins).reversed() {
      edges[min(bandCount - 1, Self.band(at: Double(bin) * width))] = Int32(bin)
    }
    edges[0] = min(Int32((80 / width).rounded(.up)), edges[1] - 1)
    edges[bandCount] = Int32(bins)
    let centers = (0..<bandCount).map { Double(edges[$0] + edges[$0 + 1] - 1) / 2 }
    interpolation = BandInterpolation(bins: bins, centers: centers, width: 1)
  }

  /// A scaled Hann window. With this scale, the sum of the powers of the bins equals the mean
  /// square of the frame.
  private static func window(length: Int, size: Int) -> OwnedRow<Float> {
    func hann(_ index: Int) -> Float { Float(SpectrumAnalyzer.hann(length, index: index)) }
    let energy = (0..<length).reduce(0.0) { $0 + Double(hann($1) * hann($1)) }
    let scale = Float((2 / (Double(size) * energy)).squareRoot())
    return OwnedRow(count: length) { hann($0) * scale }
  }

  private static func band(at frequency: Double) -> Int {
    if frequency < 2_000 { return Int(frequency / 100) }
    if frequency < 4_000 { return 20 + Int((frequency - 2_000) / 200) }
    if frequency < 8_000 { return 30 + Int((frequency - 4_000) / 400) }
    return 40 + Int((frequency - 8_000) / 1_000)
  }

  /// Adds samples of the three signals to the current 10 ms frame.
  mutating func add(reference: Row<Float>, echo: Row<Float>, microphone: Row<Float>, count: Int) {
    CallBlock.copy(reference, to: history(0).from(length + filled), count: count)
    CallBlock.copy(echo, to: history(1).from(length + filled), count: count)
    CallBlock.copy(microphone, to: history(2).from(length + filled), count: count)
    filled += count
  }

  private func history(_ signal: Int) -> Row<Float> {
    histories.from(signal * (length + UplinkRun.capacity))
  }

  /// Ends the current 10 ms frame and computes the powers of the last 20 ms.
  mutating func finishFrame() {
    for signal in 0..<3 {
      let history = history(signal)
      CallBlock.copy(history.from(filled), to: history, count: length)
      transform.analyze(history, to: spectra, signal)
    }
    filled = 0
    let (real, imaginary, stride) = (spectra.real.row, spectra.imaginary.row, spectra.stride)
    for bin in groupStarts(stride) {
      let echo = spectra.bins(at: stride + bin)
      let microphone = spectra.bins(at: 2 * stride + bin)
      real.setFloat4(spectra.bins(at: bin).power, at: bin)
      imaginary.setFloat4(echo.conjugate(times: microphone).real, at: bin)
      real.setFloat4(echo.power, at: stride + bin)
      real.setFloat4(microphone.power, at: 2 * stride + bin)
    }
    for band in 0..<count {
      let (start, end) = (Int(edges[band]), Int(edges[band + 1]))
      reference[band] = Self.sum(real, from: start, to: end)
      echo[band] = Self.sum(real, from: stride + start, to: stride + end)
      microphone[band] = Self.sum(real, from: 2 * stride + start, to: 2 * stride + end)
      product[band] = Self.sum(imaginary, from: start, to: end)
    }
  }

  @inline(__always)
  private static func sum(_ row: Row<Float>, from start: Int, to end: Int) -> Float {
    var sum: Float = 0
    for bin in start..<end { sum += row[bin] }
    return sum
  }

  /// The number of bins of a spectrum, rounded up to a multiple of four.
  var stride: Int { spectra.stride }

  /// The number of bins of `band`.
  func width(_ band: Int) -> Float { band < count ? Float(edges[band + 1] - edges[band]) : 1 }

  mutating func reset() {
    histories.fill(0)
    filled = 0
  }
}

extension Float {
  /// This number, or 0 if the number is below 10⁻¹⁸. The property prevents denormals when a number
  /// decays.
  var flushingDenormals: Float { self < 1e-18 ? 0 : self }
}

extension OwnedRow where Element == Float {
  /// Updates four running means. Each mean moves towards the newest value by `fraction` of the
  /// difference. Returns the new means.
  @inline(__always)
  func follow(_ newest: Float4, at index: Int, by fraction: Float) -> Float4 {
    let old = float4(at: index)
    let next = (old + (newest - old) * fraction).flushingDenormals
    setFloat4(next, at: index)
    return next
  }
}
