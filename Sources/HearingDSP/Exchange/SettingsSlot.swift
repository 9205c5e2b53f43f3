/// One complete, computed set of settings in flat memory.
///
/// Written by the control side while nobody else looks, then only read.
struct SettingsSlot {
  var generation: UInt64 = 0
  var isEnabled = false
  let channels: UnsafeMutablePointer<ChannelSettings>
  /// Targets of the sections, `[channel][vector]`.
  let sections: UnsafeMutablePointer<LaneTarget>
  /// Gains in dB, `[channel][band]`, intensity included.
  let gains: UnsafeMutablePointer<Float>

  /// Memory for settings in which nothing is amplified and nothing enabled.
  init(shape: ProcessorShape) {
    channels = .allocate(capacity: shape.channelCount)
    channels.initialize(repeating: ChannelSettings(), count: shape.channelCount)
    let sectionCount = shape.channelCount * shape.vectorsPerChannel
    sections = .allocate(capacity: sectionCount)
    sections.initialize(repeating: LaneTarget(), count: sectionCount)
    let gainCount = shape.channelCount * shape.bandCount
    gains = .allocate(capacity: gainCount)
    gains.initialize(repeating: 0, count: gainCount)
  }

  /// Gives the memory back.
  func deallocate() {
    channels.deallocate()
    sections.deallocate()
    gains.deallocate()
  }
}
