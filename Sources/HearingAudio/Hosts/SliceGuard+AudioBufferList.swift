#if canImport(AVFAudio)
  public import AVFAudio

  extension SliceGuard {
    /// Has an audio unit's slice rendered: one line of its render block. Render side.
    ///
    ///     return { flags, timestamp, frameCount, bus, output, events, pull in
    ///       sliceGuard.render(output, frameCount: frameCount, flags: flags) { slice in … }
    ///     }
    ///
    /// - Parameters:
    ///   - output: Planar 32-bit float buffers with memory behind them, one for each channel; other
    ///     ones are refused with ``RenderStatus/unsuitableBuffers``.
    ///   - frameCount: The frames that the host asks for.
    ///   - flags: Gets `unitRenderAction_OutputIsSilence` if the output has been made silent.
    ///   - renderer: Renders a part in place.
    /// - Returns: `noErr`, or why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, frameCount: UInt32,
      flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      var isSilence = false
      let status = render(output, frameCount: frameCount, &isSilence, by: renderer)
      if isSilence { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return status
    }

    /// Has the slice of an `AVAudioSourceNode` rendered: one line of its render block. Render side.
    ///
    ///     AVAudioSourceNode { isSilence, timestamp, frameCount, output in
    ///       sliceGuard.render(output, frameCount: frameCount, isSilence: isSilence) { slice in … }
    ///     }
    ///
    /// - Parameters:
    ///   - output: As for an audio unit.
    ///   - frameCount: The frames that the engine asks for.
    ///   - isSilence: Set if the output has been made silent.
    ///   - renderer: Renders a part in place.
    /// - Returns: `noErr`, or why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, frameCount: UInt32,
      isSilence: UnsafeMutablePointer<ObjCBool>, by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      var outputIsSilence = false
      let status = render(output, frameCount: frameCount, &outputIsSilence, by: renderer)
      if outputIsSilence { isSilence.pointee = true }
      return status
    }

    private func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, frameCount: UInt32,
      _ outputIsSilence: inout Bool, by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      let buffers = UnsafeMutableAudioBufferListPointer(output)
      let byteCount = frameCount * UInt32(MemoryLayout<Float>.stride)
      let host = state.pointee.host
      var isSuitable = buffers.count == channelCount
      for index in 0..<buffers.count {
        let buffer = buffers[index]
        guard
          isSuitable, buffer.mNumberChannels == 1, buffer.mDataByteSize >= byteCount,
          let data = buffer.mData
        else {
          isSuitable = false
          continue
        }
        host[index] = data.assumingMemoryBound(to: Float.self)
      }
      guard isSuitable else {
        for index in 0..<buffers.count {
          guard let data = buffers[index].mData else { continue }
          data.initializeMemory(
            as: UInt8.self, repeating: 0, count: Int(buffers[index].mDataByteSize))
        }
        outputIsSilence = true
        return RenderStatus.unsuitableBuffers.rawValue
      }
      return render(
        UnsafePointer(host), frameCount: Int(frameCount), outputIsSilence: &outputIsSilence,
        by: renderer
      ).rawValue
    }
  }
#endif
