import HearingDSP
import HearingFitting
import HearingPluginRuntime

/// Computes the processor's settings from the controls of a plugin instance and from files.
///
/// Only one thread at a time uses a `ListenerControl`. The audio thread uses it for the first block
/// of samples after activation. After this block, only the helper thread uses it.
struct ListenerControl {
  /// The controls, which the audio thread also uses.
  let controls: PluginControls

  private let processor: BandGainProcessor
  private var savedPreset = FollowedFile("preset.txt", parse: Self.preset)
  private var headphone = FollowedFile("headphone.txt", parse: Self.headphone)
  /// The last preset that was computed from the thresholds at the controls, and the values of the
  /// controls at that time.
  private var fitted: (controls: [Float], preset: Preset)?
  private var applied: ProcessorSettings?

  /// Stores the processor and the controls. Does not apply settings.
  init(_ processor: BandGainProcessor, _ controls: PluginControls) {
    self.processor = processor
    self.controls = controls
  }

  /// The interval in milliseconds at which files are checked for changes; 0 if they are not
  /// checked.
  var interval: Int32 {
    isOn(PortFollow) || isOn(PortHeadphone) ? 200 : 0
  }

  /// Applies the current controls and files.
  mutating func update() {
    controls.acknowledge()
    do throws(FileStatus) {
      var settings = try settings(for: currentPreset())
      settings.headphone = currentHeadphone()
      controls[PortPresetStatus] = (isOn(PortFollow) ? savedPreset.status : .off).rawValue
      controls[PortHeadphoneStatus] = (isOn(PortHeadphone) ? headphone.status : .off).rawValue
      if settings != applied {
        try apply(settings)
        applied = settings
      }
    } catch {
      // After an error, the active settings remain.
      controls[PortPresetStatus] = error.rawValue
    }
  }

  private func isOn(_ port: Int) -> Bool { controls[port] >= 0.5 }

  /// The saved preset if it exists and the control `PortFollow` is on; otherwise the preset for the
  /// thresholds at the controls.
  private mutating func currentPreset() throws(FileStatus) -> Preset {
    if isOn(PortFollow) {
      savedPreset.refresh()
      if let preset = savedPreset.content { return preset }
    }
    let values = (PortProgram..<PortReduction).map { controls[$0] }
    if let fitted, fitted.controls == values { return fitted.preset }
    let preset = try Self.fit(thresholds: Array(values.dropFirst()), isMusic: values[0] >= 0.5)
    fitted = (values, preset)
    return preset
  }

  private mutating func currentHeadphone() -> HeadphoneCorrection? {
    guard isOn(PortHeadphone) else { return nil }
    headphone.refresh()
    return headphone.status == .missing ? nil : headphone.content
  }

  private static func fit(thresholds: [Float], isMusic: Bool) throws(FileStatus) -> Preset {
    var profile = HearingProfile()
    for (index, ear) in Ear.allCases.enumerated() {
      let points = zip(PluginPort.thresholdFrequencies, thresholds.dropFirst(8 * index)).map {
        Audiogram.Point(frequency: $0, threshold: Double($1))
      }
      do throws(Audiogram.Invalid) {
        profile[ear] = try Audiogram(points: points)
      } catch {
        throw .damaged
      }
    }
    do throws(FittingError) {
      return try Fitting(techLevel: 3, program: isMusic ? .music : .speech).preset(for: profile)
    } catch {
      throw .damaged
    }
  }

  private func settings(for preset: Preset) throws(FileStatus) -> ProcessorSettings {
    do throws(BandCurve.Invalid) {
      return try ProcessorSettings(
        preset: preset, layout: processor.layout, ears: [.left, .right],
        intensity: Double(controls[PortIntensity]), isEnabled: isOn(PortEnabled),
        calibration: Calibration(fullScaleSPL: Double(controls[PortFullScale])))
    } catch {
      throw .damaged
    }
  }

  private func apply(_ settings: ProcessorSettings) throws(FileStatus) {
    do throws(BandGainProcessorError) {
      try processor.apply(settings)
    } catch {
      throw .damaged
    }
  }

  private static func preset(_ text: String) throws(FileStatus) -> Preset {
    do throws(Preset.TableError) {
      return try Preset(table: text)
    } catch {
      if case .newerVersion = error { throw .newer }
      throw .damaged
    }
  }

  private static func headphone(_ text: String) throws(FileStatus) -> HeadphoneCorrection {
    do throws(EqualizerError) {
      return try HeadphoneCorrection(parametricEQ: text)
    } catch {
      throw .damaged
    }
  }
}
