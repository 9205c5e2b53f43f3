import Foundation

/// The results of one case, with a separate digest for each kind of result.
///
/// Because the digests are separate, an intended difference in one kind does not hide a difference
/// in another kind.
struct CaseRecord {
  /// The output samples, and the guard samples around the blocks. Guard samples must not be
  /// overwritten.
  var output = Digest()
  /// Gains, input levels and peaks. Also scores and levels of the voice detector, and ducking
  /// gains.
  var levels = Digest()
  /// The values that the limiter reports.
  var limiter = Digest()
  /// The frequency response that the processor reports, and the version numbers of its settings.
  var control = Digest()
  /// Render events and changes of voice state.
  var events = Digest()
  var coverage = Coverage()

  /// The output samples of each channel; nil if they are not written to a file.
  private var trace: [[Float]]?

  init(tracesOutput: Bool = false) {
    trace = tracesOutput ? [] : nil
  }

  mutating func addOutput(_ channels: [UnsafePointer<Float>], frameCount: Int) {
    for channel in channels { output.add(channel, count: frameCount) }
    coverage.samples += channels.count * frameCount
    guard trace != nil else { return }
    if trace?.isEmpty == true { trace = Array(repeating: [], count: channels.count) }
    for (index, channel) in channels.enumerated() {
      trace?[index].append(contentsOf: UnsafeBufferPointer(start: channel, count: frameCount))
    }
  }

  /// The line of output for this case. The script compares the lines of the two checkouts.
  func line(name: String) -> String {
    let digests = [
      ("output", output), ("levels", levels), ("limiter", limiter), ("control", control),
      ("events", events),
    ]
    return name
      + digests.map { " \($0.0)=" + String(format: "%016lx", UInt($0.1.value)) }.joined()
  }

  /// Writes the output: the number of channels as 32 bits, then the samples of each channel.
  func writeTrace(to path: String) throws {
    let channels = trace ?? []
    var data = Data()
    withUnsafeBytes(of: UInt32(channels.count).littleEndian) { data.append(contentsOf: $0) }
    for channel in channels {
      channel.withUnsafeBytes { data.append(contentsOf: $0) }
    }
    try data.write(to: URL(fileURLWithPath: path))
  }
}

/// Counts what the corpus has rendered. The counts show whether the corpus covers all render code.
struct Coverage {
  var samples = 0
  var settingsApplied = 0
  var resets = 0
  var brokenSamples = 0
  var limitedCases = 0
  var recoveredCases = 0
  var voiceDecisions = 0
  var events: [UInt32: Int] = [:]

  mutating func add(_ other: Coverage) {
    samples += other.samples
    settingsApplied += other.settingsApplied
    resets += other.resets
    brokenSamples += other.brokenSamples
    limitedCases += other.limitedCases
    recoveredCases += other.recoveredCases
    voiceDecisions += other.voiceDecisions
    events.merge(other.events, uniquingKeysWith: +)
  }

  var line: String {
    let kinds = events.sorted { $0.key < $1.key }
      .map { "\(String($0.key, radix: 16)): \($0.value)" }.joined(separator: ", ")
    return """
      # \(samples) output samples, \(settingsApplied) settings applied, \(resets) resets, \
      \(brokenSamples) broken samples, limiter at work in \(limitedCases) cases and fully \
      recovered in \(recoveredCases), \(voiceDecisions) frames of voice, render events by kind: \
      \(kinds)
      """
  }
}
