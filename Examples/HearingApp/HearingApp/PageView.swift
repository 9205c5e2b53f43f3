import SwiftUI
import WebKit

/// Shows a page of HearingReport: the audiogram, the gains, and what they mean.
struct PageView: UIViewRepresentable {
  let html: String

  func makeUIView(context: Context) -> WKWebView {
    WKWebView()
  }

  func updateUIView(_ view: WKWebView, context: Context) {
    view.loadHTMLString(html, baseURL: nil)
  }
}
