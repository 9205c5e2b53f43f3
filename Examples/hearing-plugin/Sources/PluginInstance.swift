import HearingBuffers
import HearingDSP
import HearingPluginRuntime

/// One instance of the plugin. It has ports and a processor. While the instance is active, it also
/// has a helper thread.
///
/// The host must call an instance from only one thread at a time.
struct PluginInstance: ~Copyable {
  /// The memory that the host has connected to each port.
  private let ports = OwnedRow<UnsafeMutablePointer<Float>?>(count: PortCount) { _ in nil }
  private let processor: BandGainProcessor
  /// An unmanaged reference to the processor. The audio thread uses it, because changing a
  /// reference count is not real-time safe.
  private let renderer: Unmanaged<BandGainProcessor>
  private let controls: PluginControls
  private let listener: UnsafeMutablePointer<ListenerControl>
  private let scratch: OwnedRow<Float>
  private let rows: OwnedRow<UnsafeMutablePointer<Float>>
  private var helper: OpaquePointer?
  private var isFirstBlock = true

  /// The maximum number of frames that are processed at a time.
  private static var capacity: Int { 1024 }

  /// Creates an instance for a sample rate in Hz; nil if the rate is outside 8,000…192,000 Hz.
  init?(sampleRate: Double) {
    guard ProcessingSpec.supportedSampleRates.contains(sampleRate),
      let layout = BandLayout.audiometric.limited(to: sampleRate)
    else { return nil }
    let spec = ProcessingSpec(sampleRate: sampleRate, channelCount: 2)
    guard let processor = try? BandGainProcessor(spec: spec, layout: layout) else { return nil }
    self.processor = processor
    renderer = .passUnretained(processor)
    let controls = PluginControls()
    self.controls = controls
    listener = .allocate(capacity: 1)
    listener.initialize(to: ListenerControl(processor, controls))
    let scratch = OwnedRow<Float>.filled(0, count: 2 * Self.capacity)
    rows = OwnedRow(count: 2) { scratch.row.pointer + $0 * Self.capacity }
    self.scratch = scratch
  }

  deinit {
    listener.deinitialize(count: 1)
    listener.deallocate()
    controls.deallocate()
  }

  /// Connects a port to memory of the host.
  func connect(_ port: Int, to data: UnsafeMutablePointer<Float>?) {
    ports[port] = data
  }

  /// Clears the signal history and starts the helper thread.
  mutating func activate() {
    deactivate()
    processor.reset()
    isFirstBlock = true
    controls.isStarted = false
    helper = hearing_thread_start(
      { context, thread in
        let listener = context.assumingMemoryBound(to: ListenerControl.self)
        var interval: Int32 = 0
        while hearing_thread_wait(thread, interval) {
          guard listener.pointee.controls.isStarted else { continue }
          listener.pointee.update()
          interval = listener.pointee.interval
        }
      }, listener)
  }

  /// Stops the helper thread.
  mutating func deactivate() {
    if let helper { hearing_thread_end(helper) }
    helper = nil
  }

  /// Renders a block of samples.
  ///
  /// The first call after activation computes the preset on the audio thread. Therefore repeated
  /// renderings of a file give equal samples. Later calls report changes of the controls to the
  /// helper thread, which then computes the preset.
  mutating func run(_ frameCount: Int) {
    let hasChanged = adoptControls()
    if isFirstBlock {
      isFirstBlock = false
      listener.pointee.update()
      controls.isStarted = true
      if let helper { hearing_thread_wake(helper) }
    } else if hasChanged, controls.report(), let helper {
      hearing_thread_wake(helper)
    }
    render(frameCount)
    showMeters()
  }

  /// Stores the values of the connected controls, limited to their ranges.
  ///
  /// - Returns: Whether a value has changed.
  @_noLocks @_noAllocation
  private func adoptControls() -> Bool {
    var hasChanged = false
    for port in PortEnabled..<PortReduction {
      guard let data = ports[port] else { continue }
      let value = PluginPort.valid(data.pointee, port: port)
      if value != controls[port] {
        controls[port] = value
        hasChanged = true
      }
    }
    return hasChanged
  }

  /// Renders a block in parts of at most ``capacity`` frames. An unconnected input is silent.
  ///
  /// A host may connect one buffer to several ports, for example to the left input and the right
  /// output. Therefore, both inputs of a part are read before an output is written.
  @_noLocks @_noAllocation
  private func render(_ frameCount: Int) {
    let channels = UnsafePointer(rows.row.pointer)
    var start = 0
    while start < frameCount {
      let count = min(Self.capacity, frameCount - start)
      for channel in 0..<2 {
        if let input = ports[PortInputLeft + channel] {
          Self.copy(input + start, to: rows[channel], count: count)
        } else {
          rows[channel].update(repeating: 0, count: count)
        }
      }
      renderer._withUnsafeGuaranteedRef { $0.process(channels, frameCount: count) }
      for channel in 0..<2 {
        guard let output = ports[PortOutputLeft + channel] else { continue }
        Self.copy(rows[channel], to: output + start, count: count)
      }
      start += count
    }
  }

  @_noLocks @_noAllocation
  private static func copy(
    _ source: UnsafeMutablePointer<Float>, to target: UnsafeMutablePointer<Float>, count: Int
  ) {
    UnsafeMutableRawPointer(target).copyMemory(
      from: source, byteCount: count * MemoryLayout<Float>.stride)
  }

  @_noLocks @_noAllocation
  private func showMeters() {
    let left = renderer._withUnsafeGuaranteedRef { $0.outputMeter(channel: 0) }
    let right = renderer._withUnsafeGuaranteedRef { $0.outputMeter(channel: 1) }
    let gain = max(1e-6, min(left.limiterGain, right.limiterGain))
    let reduction = gain < 1 ? -6.0206 * SIMD4<Float>(repeating: gain).binaryLogarithm.x : 0
    ports[PortReduction]?.pointee = reduction
    // The peak is limited, because samples are infinite if the input is infinite and processing is
    // off.
    ports[PortPeak]?.pointee = min(2, max(left.peak, right.peak))
    ports[PortPresetStatus]?.pointee = controls[PortPresetStatus]
    ports[PortHeadphoneStatus]?.pointee = controls[PortHeadphoneStatus]
  }
}
