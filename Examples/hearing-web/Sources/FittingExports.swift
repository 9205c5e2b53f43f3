import HearingDSP
import HearingFitting

// The functions that the page calls for standard audiograms, rules, presets and gains. Each returns
// 0 or a count, or the code of a `WebFailure`.

/// The listener. WebAssembly code runs on one thread per instance.
nonisolated(unsafe) private var listener = ListenerFitting()

private func ear(_ number: Int32) throws(WebFailure) -> Ear {
  switch number {
  case 0: .left
  case 1: .right
  default: throw .unknownEar
  }
}

/// Writes the name of standard audiogram `number`, such as "N3", and returns its length in bytes.
@_expose(wasm, "hearing_standard_name") @c(hearing_standard_name)
func hearingStandardName(_ number: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard Audiogram.standards.indices.contains(Int(number)) else { throw .unknownNumber }
    return try Exchange.write(Audiogram.standards[Int(number)].name)
  }
}

/// Writes frequency (Hz) and threshold (dB HL) of each point of standard audiogram `number`, and
/// returns the number of points.
@_expose(wasm, "hearing_standard") @c(hearing_standard)
func hearingStandard(_ number: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard Audiogram.standards.indices.contains(Int(number)) else { throw .unknownNumber }
    let points = Audiogram.standards[Int(number)].audiogram.points
    return try Exchange.write(points.flatMap { [$0.frequency, $0.threshold] }) / 2
  }
}

/// Writes the name of prescription rule `number`, such as "nal-r", and returns its length in bytes.
@_expose(wasm, "hearing_rule_name") @c(hearing_rule_name)
func hearingRuleName(_ number: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    guard PrescriptionRule.all.indices.contains(Int(number)) else { throw .unknownNumber }
    return try Exchange.write(PrescriptionRule.all[Int(number)].name)
  }
}

/// Replaces the audiogram of an ear (0: left, 1: right) by `pointCount` points. Each point has
/// three numbers: the frequency (Hz), the threshold (dB HL), and 1 if there was no response,
/// otherwise 0. Without points, the ear is unknown.
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

/// Makes the preset for the audiograms. `rule` is −1 for the default rule or a number as for
/// `hearing_rule_name`; `program` is 0 for speech, 1 for music.
@_expose(wasm, "hearing_fit") @c(hearing_fit)
func hearingFit(_ rule: Int32, _ program: Int32) -> Int32 {
  WebFailure.code { () throws(WebFailure) in
    try listener.fit(rule: rule, program: program)
    return 0
  }
}

/// Changes the fine tuning of the next presets; each value is −1…1.
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

/// Writes the thresholds (dB HL) in the bands of a processor at a sample rate in Hz, of the left,
/// then of the right ear, and returns their count. An unknown ear has 0 dB HL.
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

/// Writes the settings of a processor for the last preset, and returns the count of numbers;
/// `hearing_apply` reads them in the worklet.
///
/// - Parameters:
///   - sampleRate: In Hz.
///   - intensity: 0…1.
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

/// Replaces `count` frequencies (Hz) by the gains (dB) of the last preset for an ear and a level in
/// the band (dB SPL), scaled by the intensity (0…1).
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
