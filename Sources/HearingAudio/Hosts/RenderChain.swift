#if canImport(AVFAudio) && canImport(AudioToolbox) && canImport(CoreAudio)
  internal import AudioToolbox
  internal import CoreAudio
  internal import CoreAudioTypes
  internal import HearingBuffers
  internal import HearingDSP
  internal import Synchronization

  /// The objects and the state that the render block of a ``HearingAudioUnit`` uses. The unit
  /// retains `processor` and `sliceGuard` while rendering is possible.
  struct RenderChain: ~Copyable {
    var processor: Unmanaged<BandGainProcessor>?
    var sliceGuard: Unmanaged<SliceGuard>?
    let isBypassed = Atomic(false)
    var input = EffectInput(headroom: HearingAudioUnit.defaultHeadroom)
    private var inputChannelCount = 2
    /// Memory for a second channel. This memory is used if the input is mono and the host provides
    /// no memory for the second channel.
    private var spare = OwnedRow<Float>.filled(0, count: 0)

    /// Prepares for slices of at most `maximumFrameCount` frames. Do not call this method during
    /// rendering.
    mutating func prepare(inputChannelCount: Int, maximumFrameCount: Int) {
      self.inputChannelCount = inputChannelCount
      spare = .filled(0, count: maximumFrameCount)
    }

    /// Pulls the input into the output buffers, and attenuates the input. Copies a mono input to
    /// every channel.
    mutating func pullInput(
      _ flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      _ timestamp: UnsafePointer<AudioTimeStamp>, _ frameCount: AUAudioFrameCount,
      _ output: UnsafeMutablePointer<AudioBufferList>, _ pull: AURenderPullInputBlock
    ) -> OSStatus {
      let buffers = UnsafeMutableAudioBufferListPointer(output)
      let status: OSStatus
      if inputChannelCount < buffers.count {
        var mono = AudioBufferList(mNumberBuffers: 1, mBuffers: buffers[0])
        status = pull(flags, timestamp, frameCount, 0, &mono)
        buffers[0] = mono.mBuffers
        if buffers[1].mData == nil {
          guard frameCount <= spare.count else { return kAudioUnitErr_TooManyFramesToProcess }
          buffers[1].mData = UnsafeMutableRawPointer(spare.row.pointer)
          buffers[1].mDataByteSize = mono.mBuffers.mDataByteSize
        }
      } else {
        status = pull(flags, timestamp, frameCount, 0, output)
      }
      guard status == noErr else { return status }
      guard buffers.allSatisfy({ $0.mData != nil }) else { return kAudioUnitErr_NoConnection }
      input.process(
        channelCount: buffers.count, inputChannelCount: inputChannelCount,
        frameCount: Int(frameCount)
      ) { index in
        guard let data = buffers[index].mData else { preconditionFailure("no memory") }
        return data.assumingMemoryBound(to: Float.self)
      }
      return noErr
    }
  }
#endif
