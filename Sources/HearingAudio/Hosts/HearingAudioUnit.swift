#if canImport(AVFAudio) && canImport(AudioToolbox) && canImport(CoreAudio)
  internal import AVFAudio
  public import AudioToolbox
  internal import CoreAudio
  internal import CoreAudioTypes
  public import Foundation
  internal import HearingBuffers
  public import HearingDSP
  public import HearingFitting
  public import HearingProcessing
  internal import Synchronization

  /// An audio unit that applies a listener's preset. The unit runs inside the app.
  ///
  ///     HearingAudioUnit.register()
  ///     let effect = try await AVAudioUnit.instantiate(
  ///       with: HearingAudioUnit.componentDescription, options: [])
  ///     engine.attach(effect)
  ///     (effect.auAudioUnit as? HearingAudioUnit)?.follow(session)
  ///
  /// While the unit follows a session, the unit uses the session's values, and a change of the
  /// unit's parameters also changes the session's values. If the unit does not follow a session,
  /// the unit uses its own ``preset`` and its own parameters.
  ///
  /// The unit can render a mono input to a stereo output. In this case, each output channel gets
  /// the gains of its ear.
  ///
  /// The gains of a preset can amplify loud music beyond digital full scale. In this case, the
  /// limiter would be active most of the time. Therefore the unit attenuates its input before the
  /// gains are applied. ``headroom`` is this attenuation in dB. The default is 8 dB. To hear the
  /// prescribed level, the listener must increase the volume by the headroom.
  ///
  /// A slice is the block of frames that a host requests in one render call. The unit has a
  /// ``SliceGuard`` that splits large slices. Therefore the unit renders slices of any size. The
  /// unit is not an Audio Unit extension. Therefore other apps cannot load the unit. Do not call
  /// the methods of the unit on the render thread. Any other thread may call the methods.
  public final class HearingAudioUnit: AUAudioUnit {
    /// The address of the parameter "enabled". The parameter's value is 0 or 1.
    public static let enabledAddress: AUParameterAddress = 0
    /// The address of the parameter "intensity". The parameter's value is 0…1.
    public static let intensityAddress: AUParameterAddress = 1

    /// The description of the unit. The type is `aufx` (effect), the subtype is `hear`, and the
    /// manufacturer is `Hrng`.
    public static let componentDescription = AudioComponentDescription(
      componentType: kAudioUnitType_Effect, componentSubType: 0x6865_6172,
      componentManufacturer: 0x4872_6E67, componentFlags: 0, componentFlagsMask: 0)

    /// Makes the unit available to `AVAudioUnit.instantiate(with:options:)` in this process.
    public static func register() {
      registerSubclass(
        HearingAudioUnit.self, as: componentDescription, name: "Hearing: Processor", version: 1)
    }

    private let control: Lock<Control>
    /// The session that the unit uses while the unit does not follow a session of the app. The app
    /// sets the preset of this session with ``preset``. Therefore this session never loads a
    /// preset.
    private let ownSession: ProcessingSession
    private let chain = OwnedRow(RenderChain())
    private let input: AUAudioUnitBus
    private let output: AUAudioUnitBus
    private let tree: AUParameterTree
    private lazy var busArrays = (
      input: AUAudioUnitBusArray(audioUnit: self, busType: .input, busses: [input]),
      output: AUAudioUnitBusArray(audioUnit: self, busType: .output, busses: [output])
    )

    /// The variables that the unit uses outside the render thread.
    private struct Control: Sendable {
      /// The session that the unit follows: a session of the app, or the unit's own session.
      var session: ProcessingSession
      /// The calibration that the app has set. Nil if the app has set no calibration. In this case,
      /// the session's audio route determines the calibration.
      var calibration: Calibration?
      var headroom = HearingAudioUnit.defaultHeadroom
      var binding: ProcessorBinding?
      var processor: BandGainProcessor?
      var sliceGuard: SliceGuard?
    }

    /// Creates a unit with two channels and a sample rate of 44.1 kHz. The host can set other
    /// formats for the busses.
    public override init(
      componentDescription: AudioComponentDescription,
      options: AudioComponentInstantiationOptions = []
    ) throws {
      guard let format = AVAudioFormat(standardFormatWithSampleRate: 44_100, channels: 2) else {
        throw Self.error(kAudioUnitErr_FormatNotSupported)
      }
      ownSession = try ProcessingController().activate(
        presetDataSource: .default(DefaultPresetDataSource(fitting: .techLevel(3))))
      ownSession.isEnabled.apply(true)
      control = Lock(Control(session: ownSession))
      input = try AUAudioUnitBus(format: format)
      output = try AUAudioUnitBus(format: format)
      let parameters: [(String, AUParameterAddress, AudioUnitParameterUnit)] = [
        ("Enabled", Self.enabledAddress, .boolean), ("Intensity", Self.intensityAddress, .generic),
      ]
      tree = AUParameterTree.createTree(
        withChildren: parameters.map { name, address, unit in
          AUParameterTree.createParameter(
            withIdentifier: name.lowercased(), name: name, address: address, min: 0, max: 1,
            unit: unit, unitName: nil, flags: [.flag_IsReadable, .flag_IsWritable],
            valueStrings: nil, dependentParameters: nil)
        })
      try super.init(componentDescription: componentDescription, options: options)
      // Initializes the lazy property `busArrays` before several threads can read the property.
      _ = busArrays
      tree.implementorValueObserver = { [weak self] parameter, value in
        self?.set(parameter.address, value)
      }
      tree.implementorValueProvider = { [weak self] parameter in
        self?.value(parameter.address) ?? 0
      }
    }

    // MARK: Values

    /// The current preset. While the unit follows a session, `preset` is the session's preset. If
    /// the app sets `preset`, the unit uses the new value only while the unit does not follow a
    /// session. If the processor does not support the preset, the previous preset stays active.
    public var preset: Preset? {
      get { session.preset.value }
      set { ownSession.preset.apply(newValue) }
    }

    /// The sound pressure level in dB SPL that an RMS of 1.0 represents. By default, the session's
    /// audio route determines the calibration. After the app has set a calibration, audio routes no
    /// longer change it. A calibration outside `ProcessorSettings.supportedFullScales` stops the
    /// program.
    public var calibration: Calibration {
      get {
        let (binding, calibration) = control.withLock { ($0.binding, $0.calibration) }
        return binding?.calibration ?? calibration ?? Calibration()
      }
      set {
        newValue.checkRange()
        change { $0.calibration = newValue }?.calibration = newValue
      }
    }

    /// The default of ``headroom`` in dB.
    ///
    /// The default is based on measurements with the standard audiogram N3, the default
    /// prescription rule for speech, and loud music of −12 dBFS RMS. The limiter counts as active
    /// if it reduces the level by more than 1 dB. Without headroom, the limiter was active for 79 %
    /// of the time. With 6 dB of headroom, the limiter was active for 5.7 % of the time. With 8 dB
    /// of headroom, the limiter was active for 2.1 % of the time. With more than 8 dB of headroom,
    /// the preset's maximum output is below full scale, and the limiter limits the samples to the
    /// maximum output. Therefore more than 8 dB of headroom does not reduce the activity of the
    /// limiter. `Benchmarks/checks/headroom.py` repeats the measurements.
    public static let defaultHeadroom = 8.0

    /// The attenuation of the input in dB, 0…24. With the default headroom, the amplified signal
    /// rarely exceeds full scale.
    ///
    /// The listener compensates for the headroom by increasing the volume. Therefore, in the
    /// processor, an RMS of 1.0 represents a level in dB SPL that is the sum of ``calibration`` and
    /// the headroom. The headroom does not change the preset's maximum output in dB SPL. While the
    /// unit is bypassed, the unit still attenuates its input. Therefore a listener can compare
    /// processed and bypassed audio without changing the volume.
    public var headroom: Double {
      get { control.withLock { $0.headroom } }
      set {
        let headroom = EffectInput.supported(newValue)
        chain[0].input.setHeadroom(headroom)
        change { $0.headroom = headroom }?.setHeadroom(headroom)
      }
    }

    /// The processor of the unit. The app can read the processor's levels and band layout. The
    /// property is nil while no render resources are allocated.
    public var processor: BandGainProcessor? { control.withLock { $0.processor } }

    /// Makes the unit follow a session. If `session` is nil, the unit uses its own preset and its
    /// own parameters again.
    public func follow(_ session: ProcessingSession?) {
      // The previous binding is released after the lock has been released.
      _ = control.withLock { control in
        control.session = session ?? ownSession
        return control.binding.take()
      }
      bind()
    }

    private var session: ProcessingSession { control.withLock { $0.session } }

    private func set(_ address: AUParameterAddress, _ value: AUValue) {
      if address == Self.enabledAddress {
        session.isEnabled.apply(value >= 0.5)
      } else {
        session.intensity.apply(min(1, max(0, value)))
      }
    }

    private func value(_ address: AUParameterAddress) -> AUValue {
      let session = session
      return address == Self.enabledAddress
        ? (session.isEnabled.value ? 1 : 0) : session.intensity.value
    }

    /// Changes `control` under its lock. Returns the binding of the processor to the session.
    /// Returns nil if there is no binding.
    private func change(_ change: (inout Control) -> Void) -> ProcessorBinding? {
      control.withLock { control in
        change(&control)
        return control.binding
      }
    }

    /// Binds the processor to the session. If another thread changes the session, the processor or
    /// the calibration during the binding, binds the processor again.
    private func bind() {
      while true {
        let start = control.withLock { $0 }
        guard let processor = start.processor else { return }
        let binding = start.session.bind(to: processor, calibration: start.calibration)
        // The previous binding is released after the lock has been released.
        let (headroom, _) = control.withLock { control in
          guard control.session === start.session, control.processor === processor,
            control.calibration == start.calibration
          else { return (nil as Double?, nil as ProcessorBinding?) }
          let former = control.binding
          control.binding = binding
          return (control.headroom, former)
        }
        if let headroom { return binding.setHeadroom(headroom) }
      }
    }

    private static func error(_ status: OSStatus) -> NSError {
      NSError(domain: NSOSStatusErrorDomain, code: Int(status))
    }

    // MARK: AUAudioUnit

    /// An array that contains the unit's only input bus.
    public override var inputBusses: AUAudioUnitBusArray { busArrays.input }

    /// An array that contains the unit's only output bus. The output bus has the sample rate of the
    /// input bus.
    public override var outputBusses: AUAudioUnitBusArray { busArrays.output }

    /// The parameters "enabled" and "intensity".
    public override var parameterTree: AUParameterTree? {
      get { tree }
      set {}
    }

    /// The supported channel counts: mono to mono, mono to stereo, and stereo to stereo.
    public override var channelCapabilities: [NSNumber]? { [1, 1, 1, 2, 2, 2] }

    /// The processor's latency in seconds.
    public override var latency: TimeInterval {
      control.withLock { $0.processor }.map { Double($0.latency) / $0.spec.sampleRate } ?? 0
    }

    /// Always true, because the unit writes its output to the buffers that contain the input.
    public override var canProcessInPlace: Bool { true }

    /// Whether the processor is bypassed. A change of this property takes effect abruptly. A change
    /// of the parameter "enabled" takes effect with a smooth transition.
    public override var shouldBypassEffect: Bool {
      get { chain[0].isBypassed.load(ordering: .relaxed) }
      set { chain[0].isBypassed.store(newValue, ordering: .relaxed) }
    }

    /// The preset as JSON, and the values of the parameters.
    public override var fullState: [String: Any]? {
      get {
        var state = super.fullState ?? [:]
        state["hearing-preset"] = preset?.jsonData()
        state["hearing-enabled"] = value(Self.enabledAddress)
        state["hearing-intensity"] = value(Self.intensityAddress)
        return state
      }
      set {
        super.fullState = newValue
        guard let newValue else { return }
        if let data = newValue["hearing-preset"] as? Data, let preset = try? Preset(json: data) {
          self.preset = preset
        }
        let values = newValue.compactMapValues { $0 as? AUValue }
        if let value = values["hearing-enabled"] { set(Self.enabledAddress, value) }
        if let value = values["hearing-intensity"] { set(Self.intensityAddress, value) }
      }
    }

    /// Creates the processor for the formats of the busses.
    public override func allocateRenderResources() throws {
      let format = output.format
      let spec = ProcessingSpec(
        sampleRate: format.sampleRate, channelCount: Int(format.channelCount))
      guard Self.isSupported(format), Self.isSupported(input.format),
        input.format.sampleRate == format.sampleRate,
        input.format.channelCount == format.channelCount
          || input.format.channelCount == 1 && format.channelCount == 2,
        let layout = BandLayout.audiometric.limited(to: format.sampleRate),
        let processor = try? BandGainProcessor(spec: spec, layout: layout)
      else { throw Self.error(kAudioUnitErr_FormatNotSupported) }
      // If this function throws an error, the base class must not have allocated its resources.
      try super.allocateRenderResources()
      let sliceGuard = SliceGuard(
        sampleRate: spec.sampleRate, channelCount: spec.channelCount,
        maximumFrameCount: Int(maximumFramesToRender))
      control.withLock { control in
        control.processor = processor
        control.sliceGuard = sliceGuard
      }
      chain[0].inputChannelCount = Int(input.format.channelCount)
      chain[0].outputChannelCount = spec.channelCount
      chain[0].spareFrameCount = Int(maximumFramesToRender)
      chain[0].spare = ChannelTable(
        channelCount: spec.channelCount, capacity: Int(maximumFramesToRender))
      chain[0].output = ChannelTable(channelCount: spec.channelCount)
      chain[0].processor = .passUnretained(processor)
      chain[0].sliceGuard = .passUnretained(sliceGuard)
      bind()
      processor.reset()
    }

    /// Whether the samples are 32-bit floating-point numbers, with one buffer for each channel.
    private static func isSupported(_ format: AVAudioFormat) -> Bool {
      format.commonFormat == .pcmFormatFloat32
        && (format.channelCount == 1 || !format.isInterleaved)
    }

    /// Releases the processor.
    public override func deallocateRenderResources() {
      chain[0].processor = nil
      chain[0].sliceGuard = nil
      // The processor, the guard and the binding are released after the lock has been released.
      _ = control.withLock { control in
        (control.processor.take(), control.sliceGuard.take(), control.binding.take())
      }
      super.deallocateRenderResources()
    }

    /// A block that pulls the input into the output buffers, and processes the samples in these
    /// buffers.
    public override var internalRenderBlock: AUInternalRenderBlock {
      let chain = chain.row
      return { flags, timestamp, frameCount, _, output, _, pull in
        guard let pull else { return kAudioUnitErr_NoConnection }
        guard let processor = chain[0].processor, let sliceGuard = chain[0].sliceGuard
        else { return kAudioUnitErr_Uninitialized }
        let status = chain[0].pullInput(flags, timestamp, frameCount, output, pull)
        guard status == noErr else { return status }
        if chain[0].isBypassed.load(ordering: .relaxed) { return noErr }
        // `_withUnsafeGuaranteedRef` avoids reference counting. `Control` retains the processor and
        // the guard during rendering.
        return processor._withUnsafeGuaranteedRef { processor in
          sliceGuard._withUnsafeGuaranteedRef { sliceGuard in
            sliceGuard.render(output, frameCount: frameCount, flags: flags) { slice in
              processor.process(slice)
              return .success
            }
          }
        }
      }
    }
  }
#endif
