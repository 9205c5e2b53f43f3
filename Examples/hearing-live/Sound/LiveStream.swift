import ExampleSupport
import Foundation
import HearingAudio
import HearingDSP
import HearingProcessing

/// The audio loop. It reads a slice (a fixed number of frames), processes the slice and writes it.
///
/// The attribute `@safe` is correct: the class owns the memory for one slice, and only one thread
/// uses this memory.
@safe
final class LiveStream {
  private let live: LiveSession
  private let sliceGuard: SliceGuard
  private let decoder: SampleDecoder
  private var encoder: SampleEncoder
  private let block: AudioBlock
  private let bytes: UnsafeMutableRawBufferPointer
  private let frameBytes: Int
  private var check: RawStreamCheck
  private let input: StreamInput
  private let output: StreamOutput
  private let log: EventLog
  private let monitor = RenderEventMonitor()
  private let episodes: ObservationToken
  /// Whether the output samples are floating-point numbers. Such samples can be beyond ±1.0.
  /// Players clip samples beyond ±1.0.
  private let isFloatingPoint: Bool

  /// The number of floating-point output samples beyond ±1.0.
  private(set) var overFullScaleSampleCount = 0

  /// The number of bytes in an incomplete frame at the end of the input.
  private(set) var strayByteCount = 0

  init(_ options: LiveOptions, _ live: LiveSession, _ stop: StopPipe, _ log: EventLog) {
    let encoding = options.format.encoding
    self.live = live
    self.log = log
    isFloatingPoint = encoding == .float32
    sliceGuard = SliceGuard(
      sampleRate: Double(options.sampleRate), channelCount: options.channelCount)
    decoder = SampleDecoder(encoding: encoding, channelCount: options.channelCount)
    encoder = SampleEncoder(encoding: encoding, channelCount: options.channelCount)
    block = AudioBlock(channelCount: options.channelCount, capacity: options.sliceFrameCount)
    frameBytes = options.channelCount * encoding.bitsPerSample / 8
    unsafe bytes = .allocate(byteCount: frameBytes * options.sliceFrameCount, alignment: 16)
    check = RawStreamCheck(
      program: "hearing-live", format: options.format.rawValue, sampleRate: options.sampleRate,
      channelCount: options.channelCount)
    input = StreamInput(stop: stop)
    output = StreamOutput(stop: stop)
    episodes = sliceGuard.observeEpisodes(through: monitor) { episode in
      log.write("slicesTooLarge", ["frames": episode.frameCount, "frame": episode.frame])
    }
  }

  deinit {
    unsafe bytes.deallocate()
  }

  /// The number of samples that were clipped to the range of the integer format.
  var clippedSampleCount: Int { encoder.clippedSampleCount }

  /// Processes sound until the input ends, the program is stopped, or the output is closed.
  ///
  /// - Throws: ``CommandFailure/badData(input:reason:)`` if the input is a sound file instead of
  ///   raw PCM.
  func run() throws(CommandFailure) -> LiveEnding {
    while true {
      let (count, interruption) = try unsafe input.fill(bytes)
      try unsafe check.check(bytes[..<count])
      let frameCount = count / frameBytes
      if frameCount > 0 {
        render(frameCount)
        let rendered = unsafe UnsafeRawBufferPointer(rebasing: bytes[..<(frameCount * frameBytes)])
        guard try unsafe output.write(rendered) else { return .outputClosed }
      }
      if let interruption {
        strayByteCount = count % frameBytes
        return interruption
      }
    }
  }

  private func render(_ frameCount: Int) {
    block.frameCount = frameCount
    unsafe decoder.decode(
      UnsafeRawBufferPointer(bytes), frameCount: frameCount, into: block.channels, from: 0)
    let processor = live.processor
    var isSilence = false
    let status = sliceGuard.render(block, outputIsSilence: &isSilence) { slice in
      processor.process(slice)
      return .success
    }
    precondition(status == .success, "\(status)")
    if isFloatingPoint { countSamplesOverFullScale(frameCount) }
    unsafe encoder.encode(block.channels, from: 0, frameCount: frameCount, into: bytes)
    log.advance(by: frameCount)
  }

  /// Counts the samples beyond ±1.0, which players clip. Warns when such a sample first occurs.
  private func countSamplesOverFullScale(_ frameCount: Int) {
    var count = 0
    for channel in 0..<encoder.channelCount {
      let samples = unsafe block.channels[channel]
      for frame in 0..<frameCount where unsafe abs(samples[frame]) > 1 { count += 1 }
    }
    if overFullScaleSampleCount == 0 && count > 0 { log.exceededFullScale() }
    overFullScaleSampleCount += count
  }
}
