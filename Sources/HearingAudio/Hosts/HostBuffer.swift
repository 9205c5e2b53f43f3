internal import HearingBuffers

/// A buffer of an audio host. The buffer has one or more interleaved channels.
@safe  // A description of a buffer; only access to the memory through `data` is unsafe.
public struct HostBuffer: BitwiseCopyable {
  /// The address of the first sample.
  public let data: UnsafeMutableRawPointer

  /// The size of the buffer in bytes.
  public let byteCount: Int

  /// The number of interleaved channels, at least 1.
  public let channelCount: Int

  /// Creates a description of a buffer. The samples stay in the host's memory.
  public init(data: UnsafeMutableRawPointer, byteCount: Int, channelCount: Int) {
    // Unsafe: this line only stores the address. The host guarantees that the memory exists.
    unsafe self.data = data
    self.byteCount = byteCount
    self.channelCount = channelCount
  }
}

@available(*, unavailable) extension HostBuffer: Sendable {}

extension HostBuffer {
  var bytes: Row<UInt8> {
    // Unsafe: the host guarantees that the buffer has `byteCount` bytes.
    unsafe Row(data.assumingMemoryBound(to: UInt8.self), count: byteCount)
  }

  /// The samples of a buffer that contains 32-bit floating-point numbers.
  var samples: Row<Float> {
    // Unsafe: the host guarantees that the buffer has `byteCount` bytes.
    unsafe Row(
      data.assumingMemoryBound(to: Float.self), count: byteCount / MemoryLayout<Float>.size)
  }
}

extension SliceGuard {
  /// Renders a host's slice into buffers of any layout: planar or interleaved, floating point or
  /// integers. Call this method on the render thread only.
  ///
  /// Planar 32-bit floating-point buffers are rendered in place. In other buffers, the samples are
  /// converted to planar 32-bit floating point before rendering, and converted back after
  /// rendering. The guard's initializer allocates the memory for the conversion.
  ///
  /// - Parameters:
  ///   - buffers: Buffers with ``channelCount`` channels in total. If the total number of channels
  ///     is not ``channelCount``, or if a buffer is too small, the method silences the buffers and
  ///     returns ``RenderStatus/unsuitableBuffers``.
  ///   - encoding: The format in which samples are stored.
  ///   - frameCount: The number of frames, at least 0.
  ///   - outputIsSilence: Set to true if the guard silenced the output. If the guard did not
  ///     silence the output, `outputIsSilence` does not change.
  ///   - renderer: Renders consecutive frames of the buffers in place. The samples are planar 32-bit
  ///     floating-point numbers.
  /// - Returns: ``RenderStatus/success``, or the reason why the output is silent.
  public func render(
    _ buffers: UnsafeBufferPointer<HostBuffer>, encoding: SampleEncoding, frameCount: Int,
    outputIsSilence: inout Bool, by renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    // Unsafe: the caller guarantees that the buffers exist.
    unsafe render(
      HostBuffers(list: buffers, encoding: encoding), frameCount, &outputIsSilence, renderer)
  }

  func render(
    _ buffers: HostBuffers<some RandomAccessCollection<HostBuffer>>, _ frameCount: Int,
    _ outputIsSilence: inout Bool, _ renderer: (AudioSlice) -> RenderStatus
  ) -> RenderStatus {
    let isSuitable = buffers.areSuitable(channelCount: channelCount, frameCount: frameCount)
    if isSuitable, buffers.encoding == .float32, buffers.list.count == channelCount {
      for (channel, buffer) in buffers.list.enumerated() {
        state[0].host.set(channel, buffer.samples)
      }
      return render(state[0].host.rows(frameCount: frameCount), &outputIsSilence, renderer)
    }
    return renderParts(
      frameCount, isSuitable, &outputIsSilence, silence: { buffers.silence() }
    ) { offset, count in
      let rows = state[0].converted.rows(frameCount: count)
      buffers.forEachChannel(from: offset) { channel, bytes, step in
        buffers.encoding.decode(bytes, step: step, count: count, to: rows[channel])
      }
      let status = renderer(AudioSlice(offset: offset, rows: rows))
      guard status == .success else { return status }
      buffers.forEachChannel(from: offset) { channel, bytes, step in
        _ = buffers.encoding.encode(rows[channel], gain: 1, count: count, to: bytes, step: step)
      }
      return status
    }
  }
}

/// The buffers of a host's slice.
struct HostBuffers<List: RandomAccessCollection<HostBuffer>> {
  let list: List
  let encoding: SampleEncoding

  /// Whether the buffers have `channelCount` channels in total, and whether each buffer has space
  /// for `frameCount` frames.
  func areSuitable(channelCount: Int, frameCount: Int) -> Bool {
    var channels = 0
    for buffer in list {
      let frameSize = buffer.channelCount * encoding.byteCount
      guard buffer.channelCount >= 1, buffer.byteCount / frameSize >= frameCount else {
        return false
      }
      channels += buffer.channelCount
    }
    return channels == channelCount
  }

  /// Calls `body` for each channel. The first argument is the index of the channel. The second
  /// argument is a row of bytes that starts at the channel's sample in frame `frame`. The third
  /// argument is the distance in bytes between two samples of the channel.
  func forEachChannel(from frame: Int, _ body: (Int, Row<UInt8>, Int) -> Void) {
    let width = encoding.byteCount
    var first = 0
    for buffer in list {
      let step = buffer.channelCount * width
      for channel in 0..<buffer.channelCount {
        body(first + channel, buffer.bytes.from(frame * step + channel * width), step)
      }
      first += buffer.channelCount
    }
  }

  func silence() {
    for buffer in list { buffer.bytes.fill(encoding.silentByte, count: buffer.byteCount) }
  }
}
