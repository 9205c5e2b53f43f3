extension ProcessingController {
  /// The version of this package in the Semantic Versioning format, for example "0.1.0".
  public static let packageVersion = "0.1.0"
}
