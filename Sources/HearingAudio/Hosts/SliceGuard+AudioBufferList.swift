#if canImport(AVFAudio) && canImport(AudioToolbox) && canImport(CoreAudio)
  public import AVFAudio
  public import AudioToolbox
  internal import CoreAudio
  internal import HearingBuffers
  public import CoreAudioTypes

  extension SliceGuard {
    /// Renders a slice of an audio unit. Call this method in the unit's render block. The system
    /// calls the render block on the render thread. On this thread, a block that is isolated to the
    /// main actor stops the program. Therefore create the render block in a `nonisolated` function.
    ///
    ///     return { flags, timestamp, frameCount, bus, output, events, pull in
    ///       sliceGuard.render(output, frameCount: frameCount, flags: flags) { slice in … }
    ///     }
    ///
    /// - Parameters:
    ///   - output: Planar or interleaved buffers that have memory. If the buffers do not have
    ///     ``channelCount`` channels in total, the result is ``RenderStatus/unsuitableBuffers``.
    ///     The host may pass buffers without memory. An audio unit must then provide the memory
    ///     itself. An effect must provide the memory before it pulls its input.
    ///   - encoding: The format in which samples are stored. The default is 32-bit floating point.
    ///   - frameCount: The number of frames.
    ///   - flags: The action flags of the render call. If the guard silenced the output, the flag
    ///     `unitRenderAction_OutputIsSilence` is set.
    ///   - renderer: Renders a part of the slice in place.
    /// - Returns: `noErr`, or the reason why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, encoding: SampleEncoding = .float32,
      frameCount: AUAudioFrameCount, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      var isSilence = false
      let status = render(hostBuffers(output, encoding), Int(frameCount), &isSilence, renderer)
      if isSilence { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return status.rawValue
    }

    /// Renders a slice of an `AVAudioSourceNode`. Call this method in the node's render block. The
    /// system calls the render block on the render thread. On this thread, a block that is isolated
    /// to the main actor stops the program. Therefore create the render block in a `nonisolated`
    /// function.
    ///
    ///     AVAudioSourceNode { isSilence, timestamp, frameCount, output in
    ///       sliceGuard.render(output, frameCount: frameCount, isSilence: isSilence) { slice in … }
    ///     }
    ///
    /// - Parameters:
    ///   - output: Planar or interleaved buffers that have memory. The buffers must have
    ///     ``channelCount`` channels in total.
    ///   - encoding: The format in which samples are stored. The default is 32-bit floating point.
    ///   - frameCount: The number of frames.
    ///   - isSilence: Set to true if the guard silenced the output.
    ///   - renderer: Renders a part of the slice in place.
    /// - Returns: `noErr`, or the reason why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, encoding: SampleEncoding = .float32,
      frameCount: AVAudioFrameCount, isSilence: UnsafeMutablePointer<ObjCBool>,
      by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      var outputIsSilence = false
      let status = render(
        hostBuffers(output, encoding), Int(frameCount), &outputIsSilence, renderer)
      if outputIsSilence { isSilence.pointee = true }
      return status.rawValue
    }

    /// Renders a slice by pulling the output of another audio unit. The output is pulled once for
    /// each part of the slice. Call this method on the render thread only.
    ///
    ///     sliceGuard.render(output, timestamp: timestamp, frameCount: frameCount, flags: flags) {
    ///       buffers, timestamp, frameCount in
    ///       renderBlock(flags, timestamp, frameCount, 0, buffers, nil)
    ///     }
    ///
    /// - Parameters:
    ///   - output: Planar or interleaved buffers that have memory. The buffers must have
    ///     ``channelCount`` channels in total. During a call of `unit`, the buffers point to the
    ///     current part of the slice.
    ///   - timestamp: The time stamp of the slice's first frame.
    ///   - encoding: The format in which samples are stored. The default is 32-bit floating point.
    ///   - frameCount: The number of frames.
    ///   - flags: The action flags of the render call. If the guard silenced the output, the flag
    ///     `unitRenderAction_OutputIsSilence` is set.
    ///   - unit: Pulls the other audio unit. The closure is called for each part of the slice. The
    ///     arguments are the buffers of the part, the time stamp of the part's first frame, and the
    ///     number of frames in the part. The time stamp of the first part is `timestamp`. The time
    ///     stamps of later parts contain only a sample time.
    /// - Returns: `noErr`, or the reason why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, timestamp: UnsafePointer<AudioTimeStamp>,
      encoding: SampleEncoding = .float32, frameCount: AUAudioFrameCount,
      flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      pulling unit: (
        UnsafeMutablePointer<AudioBufferList>, UnsafePointer<AudioTimeStamp>, AUAudioFrameCount
      ) -> OSStatus
    ) -> OSStatus {
      let buffers = UnsafeMutableAudioBufferListPointer(output)
      let list = hostBuffers(output, encoding)
      let isSuitable = list.areSuitable(channelCount: channelCount, frameCount: Int(frameCount))
      var isSilence = false
      let status = renderParts(
        Int(frameCount), isSuitable, &isSilence, silence: { list.silence() }
      ) { offset, count in
        Self.move(buffers, encoding, by: offset, frameCount: count)
        defer { Self.move(buffers, encoding, by: -offset, frameCount: Int(frameCount)) }
        if offset == 0 {
          return RenderStatus(rawValue: unit(output, timestamp, AUAudioFrameCount(count)))
        }
        var later = AudioTimeStamp()
        later.mSampleTime = timestamp.pointee.mSampleTime + Double(offset)
        later.mFlags = .sampleTimeValid
        return RenderStatus(rawValue: unit(output, &later, AUAudioFrameCount(count)))
      }
      if isSilence { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return status.rawValue
    }

    /// Returns a `HostBuffer` for each buffer in a buffer list. The `HostBuffer` of a buffer
    /// without memory has a size of 0 bytes.
    private func hostBuffers(
      _ list: UnsafeMutablePointer<AudioBufferList>, _ encoding: SampleEncoding
    ) -> HostBuffers<some RandomAccessCollection<HostBuffer>> {
      let buffers = UnsafeMutableAudioBufferListPointer(list).lazy.map { buffer in
        HostBuffer(
          data: buffer.mData ?? UnsafeMutableRawPointer(Row<UInt8>.empty.pointer),
          byteCount: buffer.mData == nil ? 0 : Int(buffer.mDataByteSize),
          channelCount: Int(buffer.mNumberChannels))
      }
      return HostBuffers(list: buffers, encoding: encoding)
    }

    /// Moves the start of each buffer by `offset` frames, and sets the size of each buffer to
    /// `frameCount` frames.
    private static func move(
      _ buffers: UnsafeMutableAudioBufferListPointer, _ encoding: SampleEncoding, by offset: Int,
      frameCount: Int
    ) {
      for index in 0..<buffers.count {
        var buffer = buffers[index]
        let frameSize = Int(buffer.mNumberChannels) * encoding.byteCount
        buffer.mData = buffer.mData.map { $0 + offset * frameSize }
        buffer.mDataByteSize = UInt32(frameCount * frameSize)
        buffers[index] = buffer
      }
    }
  }
#endif
