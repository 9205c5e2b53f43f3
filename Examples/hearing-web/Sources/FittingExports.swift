import HearingDSP
import HearingFitting

// Functions that the page calls for standard audiograms, rules, presets and gains. Each function
// returns 0 or a count if it succeeds, otherwise the code of a `WebFailure`.

/// The listener. The declaration is safe because WebAssembly code runs on one thread per instance.
nonisolated(unsafe) private var listener = ListenerFitting()

private func ear(_ number: Int32) throws(WebFailure) -> Ear {
  switch number {
  case 0: .left
  case 1: .right
  default: throw .unknownEar
  }
}

/// Writes the name of the standard audiogram `number`, such as "N3". Returns its length in bytes.
@_expose(wasm, "hearing_standard_name") @c(hearing_standard_name)
func hearingStandardName(_ number: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard Audiogram.standards.indices.contains(Int(number)) else { throw .unknownNumber }
    return try Exchange.write(Audiogram.standards[Int(number)].name)
  }
}

/// Writes the points of the standard audiogram `number` and returns their count. Each point has two
/// numbers: the frequency in Hz and the threshold in dB HL.
@_expose(wasm, "hearing_standard") @c(hearing_standard)
func hearingStandard(_ number: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard Audiogram.standards.indices.contains(Int(number)) else { throw .unknownNumber }
    let points = Audiogram.standards[Int(number)].audiogram.points
    return try Exchange.write(points.flatMap { [$0.frequency, $0.threshold] }) / 2
  }
}

/// Writes the name of the prescription rule `number`, such as "nal-r". Returns its length in bytes.
@_expose(wasm, "hearing_rule_name") @c(hearing_rule_name)
func hearingRuleName(_ number: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard PrescriptionRule.all.indices.contains(Int(number)) else { throw .unknownNumber }
    return try Exchange.write(PrescriptionRule.all[Int(number)].name)
  }
}

/// Replaces the audiogram of an ear (0: left, 1: right) by `pointCount` points. Without points, the
/// ear is unknown.
///
/// Each point has three numbers: the frequency in Hz, the threshold in dB HL, and 1 if there was no
/// response, otherwise 0.
///
/// After a failure, the audiogram is unchanged.
@_expose(wasm, "hearing_audiogram") @c(hearing_audiogram)
func hearingAudiogram(_ number: Int32, _ pointCount: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    let ear = try ear(number)
    guard pointCount >= 0, pointCount <= Audiogram.maximumPointCount else { throw .tooManyPoints }
    let numbers = try Exchange.read(3 * pointCount)
    guard pointCount > 0 else {
      listener.profile[ear] = nil
      return 0
    }
    let points = (0..<Int(pointCount)).map {
      Audiogram.Point(
        frequency: numbers[3 * $0], threshold: numbers[3 * $0 + 1],
        isNoResponse: numbers[3 * $0 + 2] == 1)
    }
    do throws(Audiogram.Invalid) {
      listener.profile[ear] = try Audiogram(importing: points)
    } catch {
      throw failure(for: error)
    }
    return 0
  }
}

private func failure(for invalid: Audiogram.Invalid) -> WebFailure {
  switch invalid {
  case .noPoints, .tooManyPoints: .tooManyPoints
  case .frequencyOutOfRange: .frequencyOutOfRange
  case .thresholdOutOfRange: .thresholdOutOfRange
  case .duplicateFrequency: .duplicateFrequency
  }
}

/// Computes the preset from the audiograms.
///
/// `rule` is a number as in `hearing_rule_name`, or −1 for the default rule. `program` is 0 for
/// speech or 1 for music.
@_expose(wasm, "hearing_fit") @c(hearing_fit)
func hearingFit(_ rule: Int32, _ program: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    try listener.fit(rule: rule, program: program)
    return 0
  }
}

/// Writes the name of the rule with which the last preset was computed, such as "nal-r". Returns
/// the length of the name in bytes.
@_expose(wasm, "hearing_fitted_rule") @c(hearing_fitted_rule)
func hearingFittedRule() -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard let rule = listener.preset?.rule else { throw .unknownNumber }
    return try Exchange.write(rule)
  }
}

/// Sets the fine tuning for the next presets. Each value is within −1…1.
@_expose(wasm, "hearing_fine_tuning") @c(hearing_fine_tuning)
func hearingFineTuning(_ loudness: Double, _ brightness: Double, _ crispness: Double) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    do throws(FineTuning.Invalid) {
      listener.fineTuning = try FineTuning(
        loudness: loudness, brightness: brightness, crispness: crispness)
    } catch {
      throw .numberOutOfRange
    }
    return 0
  }
}

/// Writes the thresholds in dB HL in each band of a processor, first for the left and then for the
/// right ear. Returns their count. An unknown ear has thresholds of 0 dB HL.
///
/// - Parameter sampleRate: The sample rate of the processor in Hz.
@_expose(wasm, "hearing_loss") @c(hearing_loss)
func hearingLoss(_ sampleRate: Double) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard sampleRate.isFinite, let layout = BandLayout.audiometric.limited(to: sampleRate) else {
      throw .numberOutOfRange
    }
    return try Exchange.write(
      [listener.profile.left, listener.profile.right].flatMap { audiogram in
        layout.centers.map { audiogram?.threshold(at: $0) ?? 0 }
      })
  }
}

/// Writes the settings of a processor for the last preset. Returns the count of numbers. In the
/// worklet, `hearing_apply` reads these numbers.
///
/// - Parameters:
///   - sampleRate: The sample rate in Hz.
///   - intensity: The factor for the gains in dB, 0…1.
///   - fullScale: The level of an RMS of 1.0 in dB SPL.
///   - isOpen: 1 if output samples may exceed ±1.0, otherwise 0.
@_expose(wasm, "hearing_settings") @c(hearing_settings)
func hearingSettings(
  _ sampleRate: Double, _ intensity: Double, _ fullScale: Double, _ isOpen: Int32
) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    var settings = try listener.settings(
      sampleRate: sampleRate, intensity: intensity, fullScale: fullScale)
    settings.allowsOutputAboveFullScale = isOpen == 1
    return try Exchange.write(SettingsCode.encode(settings))
  }
}

/// Reads `count` frequencies in Hz, and replaces them by the gains in dB of the last preset.
///
/// - Parameters:
///   - number: The ear (0: left, 1: right).
///   - level: The input level in dB SPL in the band around each frequency.
///   - intensity: The factor for the gains, 0…1.
@_expose(wasm, "hearing_gains") @c(hearing_gains)
func hearingGains(_ number: Int32, _ level: Double, _ intensity: Double, _ count: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    let ear = try ear(number)
    let frequencies = try Exchange.read(count)
    guard level.isFinite, (0...1).contains(intensity) else { throw .numberOutOfRange }
    for frequency in frequencies where !(frequency > 0 && frequency.isFinite) {
      throw .numberOutOfRange
    }
    return try Exchange.write(
      frequencies.map {
        listener.gain(ear: ear, frequency: $0, level: level, intensity: intensity)
      })
  }
}
