import { type Html, html } from '../core/html.ts'
import { pageStyle } from './pageStyle.ts'

interface PageContent {
  readonly title: string
  /** The content of the card: an `h1` first, then paragraphs and forms. */
  readonly body: Html
}

/** Inline, because pages load nothing else. */
const mark = html`<svg viewBox="0 0 28 28" fill="none" aria-hidden="true" focusable="false"><rect width="28" height="28" rx="8" fill="currentColor" opacity=".16"></rect><path d="M8 9.5 12.5 14 8 18.5M14.5 19H20" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"></path></svg>`

/**
 * A complete HTML document: one card, in light or dark mode, for phone and desktop, without scripts. Classes for `body`: `lead`,
 * `hint`, `notice good`, `notice bad`, `account`, `actions`, and on buttons `plain` and `link`. Send it with `pageAnswer`.
 */
export function page({ title, body }: PageContent): string {
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${title} · Console</title>
<style>${pageStyle}</style>
</head>
<body>
<header class="brand">${mark}Console</header>
<main>
${body}
</main>
</body>
</html>
`
  return document.toString()
}
