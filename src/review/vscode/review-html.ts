import { randomBytes } from 'node:crypto';
import type { Uri, Webview } from 'vscode';
import type { ReviewPageStrings } from '../../protocol/review-strings.ts';

export interface ReviewPageFiles {
  readonly script: Uri;
  readonly style: Uri;
}

const escape = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('"', '&quot;');

/**
 * Renders the review page. No remote resources, no inline style, one script by nonce. Its data arrives by message and is never embedded.
 *
 * @param storage path of the storage folder of this window
 */
export function reviewHtml(
  webview: Pick<Webview, 'cspSource' | 'asWebviewUri'>,
  files: ReviewPageFiles,
  strings: ReviewPageStrings,
  storage: string,
): string {
  const nonce = randomBytes(16).toString('base64');
  const policy = [
    "default-src 'none'",
    `style-src ${webview.cspSource}`,
    `font-src ${webview.cspSource}`,
    `script-src 'nonce-${nonce}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join('; ');
  // Escape `<`, so that a text cannot close the script element.
  const json = JSON.stringify(strings).replaceAll('<', '\\u003c');
  return `<!DOCTYPE html>
<html lang="${escape(strings.studio.locale)}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="${escape(webview.asWebviewUri(files.style).toString())}">
<title>${escape(strings.studio.title)}</title>
</head>
<body>
<main id="app" data-storage="${escape(storage)}"></main>
<script type="application/json" id="strings">${json}</script>
<script nonce="${nonce}" type="module" src="${escape(webview.asWebviewUri(files.script).toString())}"></script>
</body>
</html>`;
}
