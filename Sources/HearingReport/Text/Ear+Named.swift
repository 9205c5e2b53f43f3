import HearingFitting

extension Ear {
  /// The ears in the order in which a clinician lays them out: the right ear stands on the left, as
  /// one sees the person opposite.
  static let clinicalOrder: [Ear] = [.right, .left]

  /// "Left ear" or "Right ear".
  var title: String {
    switch self {
    case .left: "Left ear"
    case .right: "Right ear"
    }
  }
}
