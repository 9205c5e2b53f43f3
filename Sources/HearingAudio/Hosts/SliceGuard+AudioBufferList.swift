#if canImport(AVFAudio) && canImport(AudioToolbox) && canImport(CoreAudio)
  public import AVFAudio
  public import AudioToolbox
  internal import CoreAudio
  internal import HearingBuffers
  public import CoreAudioTypes

  extension SliceGuard {
    /// Renders a slice of an audio unit. Call this in the unit's render block.
    ///
    ///     return { flags, timestamp, frameCount, bus, output, events, pull in
    ///       sliceGuard.render(output, frameCount: frameCount, flags: flags) { slice in … }
    ///     }
    ///
    /// - Parameters:
    ///   - output: Planar or interleaved buffers that have memory. The buffers must have
    ///     ``channelCount`` channels in total. For other buffers, the result is
    ///     ``RenderStatus/unsuitableBuffers``. Some hosts pass buffers that have no memory. An
    ///     effect then obtains memory by pulling its input. A generator must provide its own
    ///     memory.
    ///   - encoding: The format in which samples are stored. The default is 32-bit floating point.
    ///   - frameCount: The number of frames.
    ///   - flags: The flag `unitRenderAction_OutputIsSilence` is set if the output was silenced.
    ///   - renderer: Renders a part of the slice in place.
    /// - Returns: `noErr`, or the reason why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, encoding: SampleEncoding = .float32,
      frameCount: AUAudioFrameCount, flags: UnsafeMutablePointer<AudioUnitRenderActionFlags>,
      by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      var isSilence = false
      let status = render(
        UnsafeMutableAudioBufferListPointer(output), encoding, Int(frameCount), &isSilence,
        renderer)
      if isSilence { flags.pointee.insert(.unitRenderAction_OutputIsSilence) }
      return status.rawValue
    }

    /// Renders a slice of an `AVAudioSourceNode`. Call this in the node's render block.
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
    ///   - isSilence: Set to true if the output was silenced.
    ///   - renderer: Renders a part of the slice in place.
    /// - Returns: `noErr`, or the reason why the output is silent.
    public func render(
      _ output: UnsafeMutablePointer<AudioBufferList>, encoding: SampleEncoding = .float32,
      frameCount: AVAudioFrameCount, isSilence: UnsafeMutablePointer<ObjCBool>,
      by renderer: (AudioSlice) -> RenderStatus
    ) -> OSStatus {
      var outputIsSilence = false
      let status = render(
        UnsafeMutableAudioBufferListPointer(output), encoding, Int(frameCount), &outputIsSilence,
        renderer)
      if outputIsSilence { isSilence.pointee = true }
      return status.rawValue
    }

    /// Renders a slice in parts. For each part, another audio unit is pulled. Call this method on
    /// the render thread only.
    ///
    ///     sliceGuard.render(output, timestamp: timestamp, frameCount: frameCount, flags: flags) {
    ///       buffers, timestamp, frameCount in
    ///       renderBlock(flags, timestamp, frameCount, 0, buffers, nil)
    ///     }
    ///
    /// - Parameters:
    ///   - output: Planar or interleaved buffers that have memory. The buffers must have
    ///     ``channelCount`` channels in total. While `unit` is called, the buffers point to the
    ///     current part.
    ///   - timestamp: The time of the slice.
    ///   - encoding: The format in which samples are stored. The default is 32-bit floating point.
    ///   - frameCount: The number of frames.
    ///   - flags: The flag `unitRenderAction_OutputIsSilence` is set if the output was silenced.
    ///   - unit: Called for each part. The arguments are the buffers of the part, the time stamp of
    ///     the part's first frame, and the number of frames in the part. The time stamps of later
    ///     parts contain only a sample time.
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
      let list = hostBuffers(buffers, encoding)
      let isSuitable =
        list?.areSuitable(channelCount: channelCount, frameCount: Int(frameCount)) ?? false
      let status =
        !isSuitable
        ? .unsuitableBuffers
        : renderParts(Int(frameCount)) { offset, count in
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
      if status != .success {
        Self.silence(buffers, encoding)
        flags.pointee.insert(.unitRenderAction_OutputIsSilence)
      }
      return status.rawValue
    }

    private func render(
      _ buffers: UnsafeMutableAudioBufferListPointer, _ encoding: SampleEncoding,
      _ frameCount: Int, _ outputIsSilence: inout Bool, _ renderer: (AudioSlice) -> RenderStatus
    ) -> RenderStatus {
      guard let list = hostBuffers(buffers, encoding) else {
        Self.silence(buffers, encoding)
        outputIsSilence = true
        return .unsuitableBuffers
      }
      return render(list, frameCount, &outputIsSilence, renderer)
    }

    /// The buffers of a list, as descriptions. Nil if a buffer has no memory, or if there are more
    /// buffers than channels.
    private func hostBuffers(
      _ buffers: UnsafeMutableAudioBufferListPointer, _ encoding: SampleEncoding
    ) -> HostBuffers? {
      guard buffers.count <= channelCount else { return nil }
      for (index, buffer) in buffers.enumerated() {
        guard let data = buffer.mData else { return nil }
        state[0].buffers[index] = HostBuffer(
          data: data, byteCount: Int(buffer.mDataByteSize),
          channelCount: Int(buffer.mNumberChannels))
      }
      return HostBuffers(row: state[0].buffers.row, count: buffers.count, encoding: encoding)
    }

    /// Moves the start of each buffer by `offset` frames, and sets its size to `frameCount` frames.
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

    private static func silence(
      _ buffers: UnsafeMutableAudioBufferListPointer, _ encoding: SampleEncoding
    ) {
      for buffer in buffers {
        guard let data = buffer.mData else { continue }
        data.initializeMemory(
          as: UInt8.self, repeating: encoding.silentByte, count: Int(buffer.mDataByteSize))
      }
    }
  }
#endif
