internal import HearingDSP

extension EqualizerSettings {
  /// Returns the contents of a settings file in the given format.
  ///
  /// Some formats have only one gain curve for both ears. At every frequency, the gain of this
  /// curve is the smaller of the two ears' gains.
  ///
  /// - Throws: ``EqualizerError/unknownEar`` if the format has one curve for both ears, but the
  ///   preset contains only one ear or no ear.
  public func text(_ format: EqualizerFormat) throws(EqualizerError) -> String {
    switch format {
    case .parametricEQ, .graphicEQ:
      guard let sharedGains else { throw .unknownEar }
      return format == .graphicEQ
        ? sharedGains.graphicEQ : sections(forBoth: sharedGains).parametricEQ
    case .equalizerAPO:
      return "Channel: L\n\(left.parametricEQ)Channel: R\n\(right.parametricEQ)"
    case .camillaDSP: return camillaDSP
    case .easyEffects: return easyEffects
    }
  }

  private var camillaDSP: String {
    var filters: [String] = []
    var pipeline: [String] = []
    for (channel, (name, ear)) in [("left", left), ("right", right)].enumerated() {
      let names = ["gain"] + ear.sections.indices.map { "\($0 + 1)" }
      filters.append(
        "  \(name)_gain: {type: Gain, parameters: {gain: \(ear.preampGain.decimal(2))}}\n")
      for (index, section) in ear.sections.enumerated() {
        filters.append(
          "  \(name)_\(index + 1): {type: Biquad, parameters: {type: \(section.kind.names.camillaDSP), "
            + "freq: \(section.frequency.decimal(1)), gain: \(section.gain.decimal(2)), "
            + "q: \(section.quality.decimal(2))}}\n")
      }
      let list = names.map { "\(name)_\($0)" }.joined(separator: ", ")
      pipeline.append("  - {type: Filter, channels: [\(channel)], names: [\(list)]}\n")
    }
    return """
      # From standard input to standard output; name your devices here.
      devices:
        samplerate: 48000
        chunksize: 1024
        capture: {type: Stdin, channels: 2, format: FLOAT32LE}
        playback: {type: Stdout, channels: 2, format: FLOAT32LE}
      filters:
      \(filters.joined())pipeline:
      \(pipeline.joined())
      """
  }

  private var easyEffects: String {
    let count = max(left.sections.count, right.sections.count, 1)
    return """
      {
        "output": {
          "blocklist": [],
          "equalizer#0": {
            "balance": 0.0,
            "bypass": false,
            "input-gain": \(left.preampGain.decimal(2)),
            "left": {
      \(Self.easyEffectsBands(of: left, count: count))
            },
            "mode": "IIR",
            "num-bands": \(count),
            "output-gain": 0.0,
            "pitch-left": 0.0,
            "pitch-right": 0.0,
            "right": {
      \(Self.easyEffectsBands(of: right, count: count))
            },
            "split-channels": true
          },
          "plugins_order": ["equalizer#0"]
        }
      }

      """
  }

  /// Returns the filter sections of one ear as a JSON object for EasyEffects. The mode "APO (DR)"
  /// selects the filters of the Audio EQ Cookbook.
  private static func easyEffectsBands(of ear: HeadphoneCorrection, count: Int) -> String {
    let unused = HeadphoneCorrection.Section(.peak, frequency: 1_000, gain: 0, quality: 1)
    let sections = ear.sections + repeatElement(unused, count: count - ear.sections.count)
    return sections.enumerated().map { index, section in
      "        \"band\(index)\": {"
        + "\"frequency\": \(section.frequency.decimal(1)), \"gain\": \(section.gain.decimal(2)), "
        + "\"mode\": \"APO (DR)\", \"mute\": false, \"q\": \(section.quality.decimal(2)), "
        + "\"slope\": \"x1\", \"solo\": false, \"type\": \"\(section.kind.names.easyEffects)\"}"
    }
    .joined(separator: ",\n")
  }
}
