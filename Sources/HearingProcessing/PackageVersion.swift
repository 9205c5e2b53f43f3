/// The version of this package.
public enum PackageVersion {
  /// The version in the Semantic Versioning format, for example "0.1.0".
  public static let current = "0.1.0"
}
