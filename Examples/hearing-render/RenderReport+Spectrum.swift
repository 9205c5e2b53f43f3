import HearingAudio
import HearingReport

extension RenderReport {
  static let pictureCaption =
    "The level of the sound in thirds of an octave, over its whole length, before and after. Where "
    + "the curves part, the sound was changed."

  /// The spectrum before and after.
  var picture: SVGPicture {
    // What a recording holds below 50 Hz is seldom meant.
    let shown = spectra.before.bands.indices.filter {
      spectra.before.bands[$0].nominalFrequency >= 50
    }
    func levels(_ spectrum: ThirdOctaveSpectrum, _ channel: Int) -> [Double] {
      let levels = spectrum.levels(channel: channel)
      return shown.map { levels[$0] + summary.loudness.fullScaleSPL }
    }
    return SpectrumPicture(
      frequencies: shown.map { spectra.before.bands[$0].nominalFrequency },
      before: Dictionary(
        uniqueKeysWithValues: Self.ears.map { ($0.ear, levels(spectra.before, $0.channel)) }),
      after: Dictionary(
        uniqueKeysWithValues: Self.ears.map { ($0.ear, levels(spectra.after, $0.channel)) })
    ).svg
  }
}
