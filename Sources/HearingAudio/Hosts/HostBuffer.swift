/// A buffer of an audio host with one or more interleaved channels.
@safe  // It is a description; only reaching the memory through `data` is unsafe.
public struct HostBuffer: BitwiseCopyable {
  /// The first sample.
  public let data: UnsafeMutableRawPointer

  /// The size of the buffer in bytes.
  public let byteCount: Int

  /// The number of interleaved channels, at least 1.
  public let channelCount: Int

  /// Creates a description of a buffer. The samples stay in the host's memory.
  public init(data: UnsafeMutableRawPointer, byteCount: Int, channelCount: Int) {
    unsafe self.data = data
    self.byteCount = byteCount
    self.channelCount = channelCount
  }
}

@available(*, unavailable) extension HostBuffer: Sendable {}

extension SliceGuard {
  /// Renders a host's slice in buffers of any layout: planar or interleaved, floating point or
  /// integers. Render side: one thread at a time.
  ///
  /// Planar 32-bit floating point is rendered in place. Other buffers are converted to that format
  /// and back, in memory that the guard allocated in advance.
  ///
  /// - Parameters:
  ///   - buffers: Buffers with ``channelCount`` channels in total. If the number of channels
  ///     differs, or the buffers are too small for the frames, they are silenced and
  ///     ``RenderStatus/unsuitableBuffers`` is returned.
  ///   - encoding: How the samples are stored.
  ///   - frameCount: The number of frames, at least 0.
  ///   - outputIsSilence: Set to true if the output was silenced, otherwise unchanged.
  ///   - renderer: Renders a part in place, as planar 32-bit floating point.
  /// - Returns: ``RenderStatus/success``, or the reason why the output is silent.
  public func render(
    _ buffers: UnsafeBufferPointer<HostBuffer>, encoding: SampleEncoding, frameCount: Int,
    outputIsSilence: inout Bool, by renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    guard unsafe areSuitable(buffers, encoding, frameCount) else {
      unsafe Self.silence(buffers, encoding)
      outputIsSilence = true
      return .unsuitableBuffers
    }
    if let channels = unsafe planarChannels(of: buffers, encoding) {
      return unsafe render(
        channels, frameCount: frameCount, outputIsSilence: &outputIsSilence, by: renderer)
    }
    let rows = unsafe state.pointee.converted
    let status = renderParts(frameCount) { offset, count in
      unsafe forEachChannel(of: buffers, encoding, from: offset) { channel, data, step in
        unsafe encoding.storage.decode(data, step: step, count: count, to: rows[channel])
      }
      let status = unsafe renderer(
        AudioSlice(
          channels: UnsafePointer(rows), channelCount: channelCount, frameCount: count,
          offset: offset))
      guard status == .success else { return status }
      unsafe forEachChannel(of: buffers, encoding, from: offset) { channel, data, step in
        _ = unsafe encoding.storage.encode(
          UnsafePointer(rows[channel]), gain: 1, count: count, to: data, step: step)
      }
      return status
    }
    if status != .success {
      unsafe Self.silence(buffers, encoding)
      outputIsSilence = true
    }
    return status
  }

  private func areSuitable(
    _ buffers: UnsafeBufferPointer<HostBuffer>, _ encoding: SampleEncoding, _ frameCount: Int
  ) -> Bool {
    var channels = 0
    for index in 0..<buffers.count {
      let buffer = unsafe buffers[index]
      let frameSize = buffer.channelCount * encoding.byteCount
      guard buffer.channelCount >= 1, buffer.byteCount / frameSize >= frameCount else {
        return false
      }
      channels += buffer.channelCount
    }
    return channels == channelCount
  }

  /// One pointer per channel if the buffers are planar 32-bit floating point; nil otherwise.
  private func planarChannels(
    of buffers: UnsafeBufferPointer<HostBuffer>, _ encoding: SampleEncoding
  ) -> UnsafePointer<UnsafeMutablePointer<Float>>? {
    guard encoding == .float32, buffers.count == channelCount else { return nil }
    for channel in 0..<channelCount {
      unsafe state.pointee.host[channel] = unsafe buffers[channel].data.assumingMemoryBound(
        to: Float.self)
    }
    return unsafe UnsafePointer(state.pointee.host)
  }

  /// Calls `body` for each channel with its index, the address of its sample at a frame, and the
  /// distance in bytes between two of its samples.
  private func forEachChannel(
    of buffers: UnsafeBufferPointer<HostBuffer>, _ encoding: SampleEncoding, from frame: Int,
    _ body: (Int, UnsafeMutableRawPointer, Int) -> Void
  ) {
    let width = encoding.byteCount
    var first = 0
    for index in 0..<buffers.count {
      let buffer = unsafe buffers[index]
      let step = buffer.channelCount * width
      for channel in 0..<buffer.channelCount {
        unsafe body(first + channel, buffer.data + frame * step + channel * width, step)
      }
      first += buffer.channelCount
    }
  }

  /// Fills the buffers with silence.
  private static func silence(
    _ buffers: UnsafeBufferPointer<HostBuffer>, _ encoding: SampleEncoding
  ) {
    let silence = encoding.silentByte
    for index in 0..<buffers.count {
      let buffer = unsafe buffers[index]
      unsafe buffer.data.initializeMemory(
        as: UInt8.self, repeating: silence, count: buffer.byteCount)
    }
  }
}
