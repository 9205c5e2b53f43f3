internal import Foundation
internal import HearingAudio

/// Carries out one drop.
struct DropWork: Sendable {
  let exchange: PieceExchange
  let metadata: PieceMetadata
  let renderer: PieceRenderer
  let progress: DropProgressReporter

  /// The fraction of a sound's progress that is copying; the rest is checking.
  private static let copyShare = 0.5

  /// Drops the whole piece. If a part fails, nothing is dropped.
  func run() async throws(DropError) -> Piece {
    try stopIfCancelled()
    let staging: PieceStaging
    do {
      staging = try await exchange.library.beginDrop(for: exchange.configuration)
    } catch {
      throw .library(error)
    }
    let record: PieceRecord
    do throws(DropError) {
      record = try await fill(staging)
      try stopIfCancelled()
    } catch {
      await exchange.library.abandonDrop(staging, for: exchange.configuration)
      throw error
    }
    progress.reportPublishing(isDone: false)
    do {
      try await exchange.library.completeDrop(staging, record, for: exchange.configuration)
    } catch {
      throw .library(error)
    }
    progress.reportPublishing(isDone: true)
    return Piece(
      record: record, library: exchange.library, configuration: exchange.configuration)
  }

  /// Writes all parts to the staging folder.
  private func fill(_ staging: PieceStaging) async throws(DropError) -> PieceRecord {
    let stem = staging.file(.mixStem)
    let content = try await deliver(.mixStem) { try await renderer.mixStem() }
    try put(content, .mixStem, at: stem, length: metadata.length)
    var files: [PiecePart: URL] = [.mixStem: stem]
    files[.preview] = try await putPreview(staging)
    var coverFormat: ImageFormat?
    if let deliverCover = renderer.coverImage,
      let content = try await deliver(.coverImage, deliverCover)
    {
      let format = try putCover(content, staging)
      files[.coverImage] = staging.file(.coverImage, coverFormat: format)
      coverFormat = format
    }
    var attachmentType: MediaType?
    if let deliverAttachment = renderer.attachment,
      let attachment = try await deliver(.attachment, deliverAttachment)
    {
      try put(attachment, at: staging.file(.attachment))
      files[.attachment] = staging.file(.attachment)
      attachmentType = attachment.type
    }
    var byteCounts: [PiecePart: Int64] = [:]
    var digests: [PiecePart: PieceDigest] = [:]
    for (part, file) in files {
      byteCounts[part] = try byteCount(of: file)
      digests[part] = try digest(of: file)
    }
    return PieceRecord(
      identifier: staging.identifier, metadata: metadata,
      applicationIdentifier: exchange.configuration.applicationIdentifier, droppedAt: Date(),
      byteCounts: byteCounts, digests: digests, coverFormat: coverFormat,
      attachmentType: attachmentType)
  }

  /// The size in bytes of a part that was written.
  private func byteCount(of file: URL) throws(DropError) -> Int64 {
    guard let byteCount = FileKind(file).regularFileByteCount else {
      throw .library(.file(.notFound(path: file.path)))
    }
    return byteCount
  }

  private func digest(of file: URL) throws(DropError) -> PieceDigest {
    do { return try PieceDigest(of: file) } catch { throw .library(.file(error)) }
  }

  /// Calls the renderer for a part.
  private func deliver<Content: Sendable>(
    _ part: PiecePart, _ ask: @Sendable () async throws -> Content
  ) async throws(DropError) -> Content {
    try stopIfCancelled()
    progress.report(part, 0)
    let content: Content
    do {
      content = try await ask()
    } catch {
      try stopIfCancelled()
      throw .notDelivered(part, reason: "\(error)")
    }
    try stopIfCancelled()
    return content
  }

  private func putPreview(_ staging: PieceStaging) async throws(DropError) -> URL? {
    let file = staging.file(.preview)
    switch renderer.preview {
    case .mixStem:
      return nil
    case .rendered(let ask):
      guard let content = try await deliver(.preview, ask) else { return nil }
      try put(content, .preview, at: file, length: nil)
    case .personalised(let preview):
      try stopIfCancelled()
      do throws(PersonalisedPreview.Failure) {
        try preview.render(
          staging.file(.mixStem), to: file, loop: metadata.loop,
          progress: { progress.report(.preview, $0) })
      } catch .cancelled {
        throw .cancelled
      } catch .file(let error) {
        throw .library(.file(error))
      } catch {
        throw .personalisation(error)
      }
    }
    return file
  }

  /// Copies a sound and checks the copy.
  private func put(
    _ content: PieceContent, _ part: PiecePart, at file: URL, length: Int64?
  ) throws(DropError) {
    try copy(content, part, to: file, share: Self.copyShare)
    do {
      try StemCheck.check(file, length: length)
    } catch let error as StemError {
      throw .sound(part, error)
    } catch {
      throw .cancelled
    }
    progress.report(part, 1)
  }

  private func putCover(
    _ content: PieceContent, _ staging: PieceStaging
  ) throws(DropError) -> ImageFormat {
    let bytes: [UInt8]
    do {
      bytes = try content.bytes(limit: CoverImage.byteLimit + 1)
    } catch {
      throw .unreadableContent(.coverImage, error)
    }
    let cover: CoverImage
    do {
      cover = try CoverImage(bytes)
    } catch {
      throw .coverImage(error)
    }
    do {
      try FileCopy.write(bytes, to: staging.file(.coverImage, coverFormat: cover.format))
    } catch {
      throw .library(.file(error))
    }
    progress.report(.coverImage, 1)
    return cover.format
  }

  private func put(_ attachment: PieceAttachment, at file: URL) throws(DropError) {
    try checkSize(attachment.content.byteCount)
    try copy(attachment.content, .attachment, to: file, share: 1)
    // The file may have grown since the first check.
    try checkSize(FileKind(file).regularFileByteCount)
    progress.report(.attachment, 1)
  }

  private func checkSize(_ byteCount: Int64?) throws(DropError) {
    guard let byteCount, byteCount > PieceAttachment.byteLimit else { return }
    throw .attachmentTooLarge(byteCount: byteCount, limit: PieceAttachment.byteLimit)
  }

  private func copy(
    _ content: PieceContent, _ part: PiecePart, to file: URL, share: Double
  ) throws(DropError) {
    do {
      try content.write(
        to: file, with: FileCopy(progress: { progress.report(part, share * $0) }))
    } catch let error as FileAccessError {
      if case .file(let source) = content,
        error.path == source.path || error.path == source.absoluteString
      {
        throw .unreadableContent(part, error)
      }
      throw .library(.file(error))
    } catch {
      throw .cancelled
    }
  }

  private func stopIfCancelled() throws(DropError) {
    if Task.isCancelled { throw .cancelled }
  }
}
