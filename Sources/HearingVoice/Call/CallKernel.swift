internal import HearingDSP
internal import HearingBuffers
import Synchronization

/// The signal path of a call, on the render side.
///
///     far voice ──► detector ──► listener's processor ──┐
///     other audio ──► ducker ───────────────────────────┴► limiter ──► playback
///                                                            │
///     microphone ──► high-pass ──► echo ◄────── reference ◄──┘
///                                   └──► voice ──► suppression ──► gain ──► inserted stages ──┐
///     uplink ◄── mute ◄──────────────────────────────────────────────────────────────────────┘
///
/// The kernel divides a block into sections, which are called runs. From the first sample of the
/// call on, the signal consists of periods of 10 ms. A run ends at the end of a period, or at the
/// end of a block. A voice decision covers one period, and has an effect only after the end of this
/// period. Therefore the result does not depend on the block size.
struct CallKernel: ~Copyable {
  /// The signal path to the loudspeaker. If the host renders and captures on two threads, the
  /// playback path belongs to the render thread.
  ///
  /// When `playback[0]` changes, Swift 6.3 reports to the thread sanitizer that the first word of
  /// the structure changes. Therefore only one thread may use the first word, and `playback` must
  /// be the first property of the structure.
  private let playback: Row<PlaybackPath>
  private let board: Row<CallBoard>
  private let microphone = OwnedRow<Float>.filled(0, count: UplinkRun.capacity)
  private let secondChannel = OwnedRow<Float>.filled(0, count: UplinkRun.capacity)
  private var reporter: VoiceReporter

  private var reference: ReferenceReader
  private var echo: EchoStage
  private var voice: VoiceStage
  private var highPass: HighPassStage
  private var suppression: SuppressionStage
  private var level: GainStage
  private var inserted: InsertedStages
  private var mute: MuteStage

  /// The settings that the render side currently applies.
  private var settings = VoiceSettings()
  private var mode = MicrophoneMode.linear
  private var path: EchoPath
  /// The number of frames that have been processed since the last reset.
  private var position: Int64 = 0

  init(
    sampleRate: Double, board: Row<CallBoard>, events: RenderEventWriter,
    playback: Row<PlaybackPath>, link: Row<HostLink>, echoTail: Double, deviceDelay: Double,
    detector: consuming VoiceActivityDetector, stages: [UplinkStage]
  ) {
    self.board = board
    path = board[0].path.value
    reporter = VoiceReporter(events: events)
    self.playback = playback
    reference = ReferenceReader(link, sampleRate: sampleRate)
    echo = EchoStage(sampleRate: sampleRate, tail: echoTail, deviceDelay: deviceDelay)
    voice = VoiceStage(detector)
    highPass = HighPassStage(sampleRate: sampleRate)
    suppression = SuppressionStage(sampleRate: sampleRate)
    level = GainStage(sampleRate: sampleRate)
    inserted = InsertedStages(stages)
    mute = MuteStage(sampleRate: sampleRate)
  }

  /// Processes one block.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  mutating func process(_ block: CallBlock, frameCount: Int) {
    guard frameCount > 0 else { return }
    var done = 0
    while done < frameCount {
      applySettings()
      let left = voice.framesLeft
      var count = min(left, frameCount - done)
      if block.playback != nil {
        playback[0].ducker.configuration = settings.ducking
        // If the host never calls `render`, the 10 ms frames of playback and of the microphone end
        // at the same time.
        count = min(count, playback[0].framesLeft)
      }
      run(block, from: done, count: count, endsFrame: count == left)
      done += count
      position += Int64(count)
      if count == left { finishFrame(rendersPlayback: block.playback != nil) }
    }
    let gain = reference.link[0].duckingGain.load(ordering: .relaxed)
    publish(duckingGain: block.playback == nil ? gain : playback[0].ducker.gain)
  }

  /// Publishes the report and the ducking gain to the control side.
  private func publish(duckingGain: Float) {
    board[0].report.value = reporter.report
    board[0].duckingGain.store(duckingGain, ordering: .relaxed)
  }

  /// Processes one run. An output may be in the same memory as an input. Therefore outputs are
  /// written last.
  private mutating func run(_ block: CallBlock, from start: Int, count: Int, endsFrame: Bool) {
    if let rows = block.playback { playback[0].process(rows, from: start, count: count) }
    let reference = block.playback == nil ? reference.read(count) : playback[0].reference
    block.microphone.receive(
      from: start, to: microphone.row, scratch: secondChannel.row, count: count)
    var run = UplinkRun(
      samples: microphone.row, reference: reference, frameCount: count, endsFrame: endsFrame,
      isMuted: settings.isMuted)
    suppression.echoStrength =
      path.raisesSuppression && echo.estimator.isStrong ? 1 : Float(path.suppression)
    run.echoSuppression = suppression.suppressesEcho ? suppression.echoStrength : 0
    run.mayHaveEcho = path.suppression > 0
    highPass.process(&run)
    echo.process(&run)
    voice.process(&run)
    suppression.process(&run)
    level.process(&run)
    inserted.process(&run)
    mute.process(&run)
    CallBlock.copy(microphone.row, to: block.uplink.from(start), count: count)
    if let rows = block.playback { playback[0].write(rows, from: start, count: count) }
  }

  /// Applies new settings. Before the first frame, new settings apply without a ramp.
  private mutating func applySettings() {
    applyMode()
    let former = path
    path = board[0].path.value
    if path != former { echo.follow(path) }
    settings = board[0].settings.value
    reporter.apply(settings)
    guard position == 0 else { return }
    let gain = Float(-settings.ducking.amount(whileSomebodyTalks: false))
    reporter.reportDucking(gain: gain, frame: position)
  }

  /// Applies a new microphone mode. The stages cross-fade to the new mode.
  private mutating func applyMode() {
    let former = mode
    mode = board[0].mode.value
    guard position == 0 || mode != former else { return }
    echo.fade.isOn = mode.cancelsEcho
    suppression.suppressesEcho = mode.cancelsEcho && mode.suppressesResidualEcho
    suppression.noiseSuppression = Float(mode.noiseSuppression)
    suppression.addsComfortNoise = mode.addsComfortNoise
    highPass.fade.isOn = mode.removesRumble || mode.controlsGain
    level.fade.isOn = mode.controlsGain
    guard position == 0 else { return }
    echo.fade.settle()
    highPass.fade.settle()
    level.fade.settle()
  }

  /// Reports the voices in the last 10 ms frame, and updates the ducking for the next 10 ms frame.
  /// If the host renders and captures on two threads, the render thread decides whether there is a
  /// far voice, and also computes the ducking gain.
  private mutating func finishFrame(rendersPlayback: Bool) {
    let link = reference.link
    var report = echo.report
    if !rendersPlayback {
      let far = reference.popDecisions()
      for age in (0..<far.count).reversed() {
        reporter.addFar(isVoice: far.history >> age & 1 == 1, frame: position)
      }
      if reference.hasStopped {
        report.problem = .renderingHasStopped
        reporter.addFar(isVoice: false, frame: position)
      }
    } else if let decision = playback[0].decision {
      reporter.addFar(isVoice: decision.isVoice, frame: decision.frame)
    }
    if let decision = voice.decision { reporter.addNear(decision) }
    if rendersPlayback {
      playback[0].duck(isNearTalking: voice.talk.isTalking)
      reporter.reportDucking(gain: playback[0].ducker.targetGain, frame: position)
    } else {
      link[0].isNearTalking.store(voice.talk.isTalking, ordering: .relaxed)
      // The ducking gain is not known until the render thread has written the first sample.
      if link[0].written.load(ordering: .acquiring) > 0 {
        let target = link[0].duckingTarget.load(ordering: .relaxed)
        reporter.reportDucking(gain: target, frame: position)
      }
    }
    board[0].echo.value = report
  }

  /// Resets the state of the call. After the reset, the next frame counts as the first frame of a
  /// call.
  #if !DEBUG
    @_noLocks @_noAllocation
  #endif
  mutating func reset() {
    reporter.reset(frame: position)
    if position > 0 { publish(duckingGain: playback[0].ducker.gain) }
    playback[0].reset()
    reference.reset()
    echo.reset()
    voice.reset()
    highPass.reset()
    suppression.reset()
    level.reset()
    inserted.reset()
    mute.reset()
    position = 0
    board[0].echo.value = EchoReport()
  }
}
