import HearingBuffers
import HearingDSP
import HearingFitting

/// Simulates a hearing loss. A listener with normal hearing then hears approximately what a
/// listener with the hearing loss hears.
///
/// - Frequency selectivity: ``SpectralSmearing`` averages the short-time power spectrum over a
///   band. The width of the band corresponds to how much broader the auditory filters are than
///   normal. Source: Baer & Moore, "Effects of spectral smearing on the intelligibility of
///   sentences in noise", JASA 94 (1993).
/// - Thresholds and recruitment: in every band, levels from the threshold to 105 dB HL are expanded
///   to the range from 0 to 105 dB HL. Sound at the raised threshold becomes sound at the normal
///   threshold, and sound at 105 dB HL is unchanged. Source: Moore & Glasberg, "Simulation of the
///   effects of loudness recruitment and threshold elevation on the intelligibility of speech in
///   quiet and in a background of noise", JASA 94 (1993).
///
/// The simulation does not include temporal resolution, tinnitus, dead regions, or the adaptation
/// of the brain to a loss. It uses the processor's bands, which are wider than auditory filters.
/// Listeners with the same thresholds can hear differently.
final class HearingLossSimulation {
  /// Whether the simulated sound is heard.
  var isHeard = false

  private let processor: BandGainProcessor
  private let smearing: [SpectralSmearing]
  private let rows: UnsafeMutablePointer<UnsafeMutablePointer<Float>>
  private let smoothing: Float
  /// The current mixing factor of the simulated sound, 0…1.
  private var factor: Float = 0

  /// Creates a simulation for two channels. Until the first call of ``simulate(_:fullScale:)``, it
  /// simulates normal hearing.
  ///
  /// - Parameter sampleRate: The sample rate in Hz.
  init(sampleRate: Double, layout: BandLayout) throws(WebFailure) {
    do throws(BandGainProcessorError) {
      processor = try BandGainProcessor(
        spec: ProcessingSpec(sampleRate: sampleRate, channelCount: 2), layout: layout)
    } catch {
      throw .unsupportedSettings
    }
    smearing = [SpectralSmearing(sampleRate: sampleRate), SpectralSmearing(sampleRate: sampleRate)]
    smoothing = Float(1 - CMath.exponential(-1 / (0.01 * sampleRate)))
    rows = .allocate(capacity: 2)
    for row in 0..<2 {
      let samples = UnsafeMutablePointer<Float>.allocate(capacity: WebRenderer.capacity)
      samples.initialize(repeating: 0, count: WebRenderer.capacity)
      (rows + row).initialize(to: samples)
    }
  }

  deinit {
    for row in 0..<2 { rows[row].deallocate() }
    rows.deallocate()
  }

  /// Simulates hearing thresholds. `thresholds` contains the thresholds in dB HL of all bands,
  /// first for the left and then for the right ear.
  ///
  /// - Parameter fullScale: The level in dB SPL of an RMS of 1.0.
  func simulate(
    _ thresholds: UnsafeBufferPointer<Double>, fullScale: Double
  ) throws(WebFailure) {
    let centers = processor.layout.centers
    guard thresholds.count == 2 * centers.count, thresholds.allSatisfy({ $0.isFinite }) else {
      throw .numberOutOfRange
    }
    var curves: [[BandCurve]] = [[], []]
    for channel in 0..<2 {
      for band in centers.indices {
        let threshold = thresholds[channel * centers.count + band]
        curves[channel].append(try Self.curve(threshold: threshold, frequency: centers[band]))
      }
    }
    do throws(BandGainProcessorError) {
      try processor.apply(
        ProcessorSettings(
          curves: curves, outputCeiling: 120, channelLinking: 0,
          calibration: Calibration(fullScaleSPL: fullScale)))
    } catch {
      throw .unsupportedSettings
    }
    for channel in 0..<2 {
      smearing[channel].adapt(
        to: centers.indices.map { (centers[$0], thresholds[channel * centers.count + $0]) })
    }
  }

  /// The level in dB HL at which sound is equally loud with and without a hearing loss.
  private static let equalLoudness = 105.0

  /// The maximum simulated threshold in dB HL.
  private static let maximumThreshold = 90.0

  /// The gain curve that expands the levels of a band.
  private static func curve(
    threshold: Double, frequency: Double
  ) throws(WebFailure) -> BandCurve {
    let loss = min(maximumThreshold, threshold)
    guard loss > 0 else { return .gain(0) }
    let upper = equalLoudness + LevelPlane.freeField.referenceThreshold(at: frequency)
    // At a level L in dB HL, the gain is −(105 − L) · loss / (105 − loss) dB.
    let minimumGain = max(-80, -equalLoudness * loss / (equalLoudness - loss))
    let lower = upper + minimumGain * (equalLoudness - loss) / loss
    do throws(BandCurve.Invalid) {
      return try BandCurve(
        points: [.init(level: lower, gain: minimumGain), .init(level: upper, gain: 0)],
        attackTime: 0.005, releaseTime: 0.03)
    } catch {
      throw .fittingFailed
    }
  }

  /// Cross-fades to the simulated sound while ``isHeard`` is true, otherwise to the original sound.
  /// Allocates nothing.
  func process(_ sound: Rows, frameCount: Int) {
    let target: Float = isHeard ? 1 : 0
    guard isHeard || factor != 0 else { return }
    if factor == 0 {
      processor.reset()
      for channel in smearing { channel.reset() }
    }
    smearing[0].process(sound.left, to: rows[0], frameCount: frameCount)
    smearing[1].process(sound.right, to: rows[1], frameCount: frameCount)
    processor.process(rows, frameCount: frameCount)
    for frame in 0..<frameCount {
      factor += smoothing * (target - factor)
      sound.left[frame] += factor * (rows[0][frame] - sound.left[frame])
      sound.right[frame] += factor * (rows[1][frame] - sound.right[frame])
    }
    if abs(target - factor) < 1e-4 { factor = target }
  }
}
