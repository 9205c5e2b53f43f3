#if canImport(AVFAudio) && canImport(AudioToolbox) && canImport(CoreAudio)
  internal import AudioToolbox
  internal import CoreAudio
  internal import CoreAudioTypes
  internal import HearingBuffers
  internal import HearingDSP
  internal import Synchronization

  /// The objects and variables that the render block of a ``HearingAudioUnit`` uses. The unit
  /// retains `processor` and `sliceGuard` while render resources are allocated.
  struct RenderChain: ~Copyable {
    var processor: Unmanaged<BandGainProcessor>?
    var sliceGuard: Unmanaged<SliceGuard>?
    let isBypassed = Atomic(false)
    var input = EffectInput(headroom: HearingAudioUnit.defaultHeadroom)
    var inputChannelCount = 2
    var outputChannelCount = 2
    /// Memory for the channels for which the host provides no memory.
    var spare = ChannelTable(channelCount: 1)
    /// The number of frames in `spare` for each channel.
    var spareFrameCount = 0
    /// Pointers to the memory in which the host expects the output of the current render call.
    var output = ChannelTable(channelCount: 1)

    /// Pulls the input into the output buffers, and attenuates the input. Copies a mono input to
    /// every channel.
    mutating func pullInput(
      _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AUAudioFrameCount,
      _ list: UnsafeMutablePointer<AudioBufferList>, _ pull: AURenderPullInputBlock
    ) -> OSStatus {
      let buffers = UnsafeMutableAudioBufferListPointer(list)
      let frameCount = Int(frameCount)
      let byteCount = frameCount * MemoryLayout<Float>.size
      guard buffers.count == outputChannelCount else {
        return RenderStatus.unsuitableBuffers.rawValue
      }
      // The block `pull` needs buffers with memory. The host may pass buffers without memory.
      for index in 0..<buffers.count {
        if buffers[index].mData == nil {
          guard frameCount <= spareFrameCount else { return kAudioUnitErr_TooManyFramesToProcess }
          let row = spare.rows(frameCount: frameCount)[index]
          buffers[index].mData = UnsafeMutableRawPointer(row.pointer)
          buffers[index].mDataByteSize = UInt32(byteCount)
        }
        guard let row = Self.row(buffers[index], frameCount) else {
          return RenderStatus.unsuitableBuffers.rawValue
        }
        buffers[index].mDataByteSize = UInt32(byteCount)
        output.set(index, row)
      }
      let status: OSStatus
      if inputChannelCount < buffers.count {
        var mono = AudioBufferList(mNumberBuffers: 1, mBuffers: buffers[0])
        status = pull(flags, timestamp, AUAudioFrameCount(frameCount), 0, &mono)
        buffers[0] = mono.mBuffers
      } else {
        status = pull(flags, timestamp, AUAudioFrameCount(frameCount), 0, list)
      }
      guard status == noErr else { return status }
      // The block `pull` may have replaced pointers by pointers to memory of its own. The host
      // expects the output in the memory that it has passed.
      let rows = output.rows(frameCount: frameCount)
      for index in 0..<buffers.count {
        guard let row = Self.row(buffers[index], frameCount) else {
          return RenderStatus.unsuitableBuffers.rawValue
        }
        if row.pointer != rows[index].pointer {
          rows[index].copy(row, count: frameCount)
          buffers[index].mData = UnsafeMutableRawPointer(rows[index].pointer)
          buffers[index].mDataByteSize = UInt32(byteCount)
        }
      }
      input.process(
        channelCount: buffers.count, inputChannelCount: inputChannelCount, frameCount: frameCount
      ) { rows[$0].pointer }
      return noErr
    }

    /// The samples in a buffer. Nil if the buffer has no memory for `frameCount` samples.
    private static func row(_ buffer: AudioBuffer, _ frameCount: Int) -> Row<Float>? {
      guard let data = buffer.mData,
        Int(buffer.mDataByteSize) >= frameCount * MemoryLayout<Float>.size
      else { return nil }
      return Row(data.assumingMemoryBound(to: Float.self), count: frameCount)
    }
  }
#endif
