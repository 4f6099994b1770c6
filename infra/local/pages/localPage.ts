import { readFile } from 'node:fs/promises'
import { extname } from 'node:path'
import { branding } from '../../../lib/core/branding.ts'
import { type Html, html } from '../../../lib/core/html.ts'
import { pageColors, pageStyle } from '../../../lib/pages/kit/pageStyle.ts'
import type { WireAnswer } from '../http/apiGatewayAnswer.ts'

/** A page of the local stack. */
interface LocalPage {
  readonly title: string
  /** The path of this page, as in the navigation. */
  readonly path: string
  /** The content of `main`, an `h1` first. */
  readonly body: Html
  /** Paths of further style sheets and of scripts, loaded in this order. */
  readonly styles?: readonly string[]
  readonly scripts?: readonly string[]
}

/** The style of every local page. The script below runs its copy buttons. */
export const LOCAL_STYLE = '/_local/pages/local.css'
/** The colors, and the bar with the navigation, which Swagger UI's page has too. */
const BAR_STYLE = '/_local/pages/bar.css'
const COPY_SCRIPT = '/_local/pages/copy.js'

/** The navigation: labels by path. */
const entries = {
  '/': 'Start',
  '/_local/console': 'Console',
  '/_local/mail': 'Mailbox',
  '/_local/events': 'Events',
  '/_local/dns': 'DNS',
  '/_local/docs': 'API',
} as const

const mark = html`<svg viewBox="0 0 28 28" fill="none" aria-hidden="true" focusable="false"><rect width="28" height="28" rx="8" fill="currentColor" opacity=".16"></rect><path d="M8 9.5 12.5 14 8 18.5M14.5 19H20" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"></path></svg>`

/** An HTML document in the look of the hosted pages, light and dark, with the navigation of the local stack. */
export function localPage({ title, path, body, styles = [], scripts = [] }: LocalPage): string {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} · Local stack</title>
<link rel="icon" href="/_local/pages/icon.svg">
${[LOCAL_STYLE, BAR_STYLE, ...styles].map(
  (href) => html`<link rel="stylesheet" href="${href}">
`,
)}${[COPY_SCRIPT, ...scripts].map(
  (src) => html`<script src="${src}" defer></script>
`,
)}</head>
<body class="local">
<header class="bar">
<a class="brand" href="/">${mark}Local stack</a>
<nav aria-label="Local stack">${Object.entries(entries).map(([href, label]) => html`<a href="${href}"${href === path && html` aria-current="page"`}>${label}</a>`)}</nav>
</header>
<main>
${body}
</main>
</body>
</html>
`.toString()
}

/** A button that copies a text. It is hidden until the script runs. */
export function copyButton(text: string, what: string): Html {
  return html`<button type="button" class="copy" data-copy="${text}" aria-label="Copy ${what}" hidden>Copy</button>`
}

const types: Readonly<Record<string, string>> = {
  '.css': 'text/css; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.svg': 'image/svg+xml',
}

/**
 * The controls of files beside a module, each under `path`.
 * @param module its `import.meta.url`
 */
export function fileControls(
  path: string,
  module: string,
  names: readonly string[],
): Readonly<Record<string, () => Promise<WireAnswer>>> {
  const controlOf = (name: string) => async () =>
    localAnswer(await readFile(new URL(name, module)), types[extname(name)] ?? 'application/octet-stream')
  return Object.fromEntries(names.map((name) => [`GET ${path}${name}`, controlOf(name)]))
}

const basePolicy =
  "default-src 'none'; connect-src 'self'; script-src 'self'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/** Answers with a page or a file for it. The policy lets a page load scripts and data only from this stack; `sources` widens it. */
export function localAnswer(
  body: string | Buffer,
  type: string,
  sources = "style-src 'self'; img-src 'self'; form-action 'none'",
): WireAnswer {
  const headers = {
    'content-type': type,
    'content-security-policy': `${basePolicy}; ${sources}`,
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
  }
  return { status: 200, headers, body: Buffer.from(body) }
}

/** The default branding. No local page uses the address. */
const look = branding.parse({ applicationUrl: 'http://127.0.0.1' })

const styleControl = (style: string, name: string) => async () =>
  localAnswer(style + (await readFile(new URL(name, import.meta.url), 'utf8')), types['.css'] ?? '')

/** The files that local pages load: the hosted pages' style with local additions, the style of the bar, the script, the icon. */
export const pageControls: Readonly<Record<string, () => Promise<WireAnswer>>> = {
  [`GET ${LOCAL_STYLE}`]: styleControl(pageStyle(look), 'local.css'),
  [`GET ${BAR_STYLE}`]: styleControl(pageColors(look), 'bar.css'),
  ...fileControls('/_local/pages/', import.meta.url, ['copy.js', 'icon.svg']),
}
