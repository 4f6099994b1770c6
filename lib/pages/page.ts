import { type Html, html } from '../core/html.ts'
import { pageStyle } from './pageStyle.ts'

/** What a page says, and the title that a browser's tab has. */
export interface PageContent {
  readonly title: string
  /** What stands in the card: an `h1` first, then paragraphs and forms. */
  readonly body: Html
}

/** Drawn inline: a page asks for nothing but itself. */
const mark = html`<svg viewBox="0 0 28 28" fill="none" aria-hidden="true" focusable="false"><rect width="28" height="28" rx="8" fill="currentColor" opacity=".16"></rect><path d="M8 9.5 12.5 14 8 18.5M14.5 19H20" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"></path></svg>`

/**
 * A whole HTML document in the look of the service: one card, light or dark as the reader has it, on phone and desktop, without
 * any script. The classes that `body` may use: `lead`, `hint`, `notice good`, `notice bad`, `account`, `actions`, and on buttons
 * `plain` and `link`. To be sent with the headers of `pageAnswer`.
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
