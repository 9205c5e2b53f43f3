/// The version of this package.
public enum PackageVersion {
  /// The version by Semantic Versioning, such as "0.1.0".
  public static let current = "0.1.0"
}
