import Foundation
import HearingAudio
import HearingDSP
import HearingFitting

/// What was rendered and measured.
struct RenderSummary {
  let options: RenderOptions
  let format: WAVFormat
  let loudness: Loudness
  let preset: Preset?
  let bands: [Band]
  let sound: Sound
  let shortfall: WAVReader.Shortfall?

  /// One band of the processor, with a figure for each ear.
  struct Band {
    /// Hz.
    let center: Double
    /// Of the tone that it was measured with, in dB SPL.
    let level: Double
    /// dB; nil for an ear that is unknown.
    let prescribed: [Double?]
    /// dB, heard on the processor.
    let measured: [Double]
  }

  /// What happened to the sound itself.
  struct Sound {
    let scaling: OutputScaling
    let input: [LevelMeter.Reading]
    let output: [LevelMeter.Reading]
    let clippedSampleCount: Int
    let levels: BandLevels
    let progress: RenderProgress
    /// Nil: nobody asked.
    let spectra: RenderObservation.Spectra?
  }
}
