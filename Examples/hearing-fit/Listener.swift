import ExampleSupport
import HearingFitting

/// Whose hearing is to be fitted: what was measured, and what is estimated where that was asked for.
struct Listener {
  private let options: FitOptions

  init(_ options: FitOptions) {
    self.options = options
  }

  func profile() throws(CommandFailure) -> HearingProfile {
    guard let audiogram = options.audiogram else { return try estimate() }
    var profile = try HearingProfile(argument: audiogram, measuredOn: options.day)
    guard options.age != nil, Ear.allCases.contains(where: { profile[$0] == nil }) else {
      return profile
    }
    let estimate = try estimate()
    for ear in Ear.allCases where profile[ear] == nil { profile[ear] = estimate[ear] }
    profile.method = .estimate
    return profile
  }

  private func estimate() throws(CommandFailure) -> HearingProfile {
    throw .usage(.unknownOption("--ear-age"))
  }
}
