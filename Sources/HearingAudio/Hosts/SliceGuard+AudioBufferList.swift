#if canImport(AVFAudio) && canImport(AudioToolbox) && canImport(CoreAudio)
  public import AVFAudio
  public import AudioToolbox
  internal import CoreAudio
  public import CoreAudioTypes

  extension SliceGuard {
    /// Renders a slice of an audio unit, in its render block. Render side.
    ///
    ///     return { flags, timestamp, frameCount, bus, output, events, pull in
    ///       sliceGuard.render(output, frameCount: frameCount, flags: flags) { slice in … }
    ///     }
    ///
    /// - Parameters:
    ///   - output: Planar 32-bit float buffers with memory behind them, one for each channel; other
    ///     ones are refused with ``RenderStatus/unsuitableBuffers``. Where a host passes no memory, an
    ///     effect has it from pulling its input, and a generator points to memory of its own.
    ///   - frameCount: The frames that the host asks for.
    ///   - flags: Gets `unitRenderAction_OutputIsSilence` if the output was silenced.
    ///   - renderer: Renders a part in place.
    /// - Returns: `noErr`, or why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, frameCount: AUAudioFrameCount,
      flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      var isSilence = false
      let status = render(
        UnsafeMutableAudioBufferListPointer(output), Int(frameCount), &isSilence, renderer)
      if isSilence { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return status.rawValue
    }

    /// Renders a slice of an `AVAudioSourceNode`, in its render block. Render side.
    ///
    ///     AVAudioSourceNode { isSilence, timestamp, frameCount, output in
    ///       sliceGuard.render(output, frameCount: frameCount, isSilence: isSilence) { slice in … }
    ///     }
    ///
    /// - Parameters:
    ///   - output: As for an audio unit.
    ///   - frameCount: The frames that the engine asks for.
    ///   - isSilence: Set if the output was silenced.
    ///   - renderer: Renders a part in place.
    /// - Returns: `noErr`, or why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, frameCount: AVAudioFrameCount,
      isSilence: UnsafeMutablePointer<ObjCBool>, by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      var outputIsSilence = false
      let status = render(
        UnsafeMutableAudioBufferListPointer(output), Int(frameCount), &outputIsSilence, renderer)
      if outputIsSilence { isSilence.pointee = true }
      return status.rawValue
    }

    private func render(
      _ buffers: UnsafeMutableAudioBufferListPointer, _ frameCount: Int,
      _ outputIsSilence: inout Bool, _ renderer: (AudioSlice) -> RenderStatus
    ) -> RenderStatus {
      guard let channels = channels(of: buffers, frameCount) else {
        for index in 0..<buffers.count {
          guard let data = buffers[index].mData else { continue }
          data.initializeMemory(
            as: UInt8.self, repeating: 0, count: Int(buffers[index].mDataByteSize))
        }
        outputIsSilence = true
        return .unsuitableBuffers
      }
      return render(
        channels, frameCount: frameCount, outputIsSilence: &outputIsSilence, by: renderer)
    }

    /// One pointer per channel; nil if the buffers do not have the agreed format.
    private func channels(
      of buffers: UnsafeMutableAudioBufferListPointer, _ frameCount: Int
    ) -> UnsafePointer<UnsafeMutablePointer<Float>>? {
      guard buffers.count == channelCount else { return nil }
      let byteCount = frameCount * MemoryLayout<Float>.stride
      for index in 0..<channelCount {
        let buffer = buffers[index]
        guard
          buffer.mNumberChannels == 1, Int(buffer.mDataByteSize) >= byteCount,
          let data = buffer.mData
        else { return nil }
        state.pointee.host[index] = data.assumingMemoryBound(to: Float.self)
      }
      return UnsafePointer(state.pointee.host)
    }
  }
#endif
