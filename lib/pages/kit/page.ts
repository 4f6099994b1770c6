import { type Html, html, scriptElement } from '../../core/html.ts'
import passkeySignIn from '../scripts/passkeySignIn.json' with { type: 'json' }
import type { Look } from './look.ts'
import { pageStyle } from './pageStyle.ts'

/** The script of pages with a password: reveals the buttons that show and hide it, because they need script. */
const showPasswordScript = `
for (const button of document.querySelectorAll(\`button.show\`)) {
  const field = document.getElementById(button.getAttribute(\`aria-controls\`))
  const show = function (shown) {
    field.type = shown ? \`text\` : \`password\`
    button.setAttribute(\`aria-pressed\`, shown)
  }
  button.addEventListener(\`click\`, function () { show(field.type === \`password\`) })
  field.form.addEventListener(\`submit\`, function () { show(false) })
  button.hidden = false
}
`

/** The script of a page whose only step is taken at once; without script the user takes it. */
const continueScript = 'document.querySelector(`[data-continue]`).click()'

interface PageContent {
  readonly title: string
  /** The content of the card: an `h1` first, then paragraphs and forms. */
  readonly body: Html
  /** Set if the last form had problems: the title says so first, because screen readers begin with it. */
  readonly hasProblem?: boolean
  /** Whether there is a `passwordField`. */
  readonly hasPassword?: boolean
  /** Whether there is a `passkeyForm`. */
  readonly hasPasskey?: boolean
  /** Whether the button or link with `data-continue` is pressed at once. */
  readonly continues?: boolean
  /** A script only for this page. */
  readonly script?: string
}

/** A page to send with `pageAnswer`. */
export interface WebPage {
  readonly document: string
  /** Its inline scripts, which the policy allows by their hashes. */
  readonly scripts: readonly string[]
  /** Whether they send requests to this service. */
  readonly asksService: boolean
}

/** Inline, because pages load nothing else. */
const mark = html`<svg viewBox="0 0 28 28" fill="none" aria-hidden="true" focusable="false"><rect width="28" height="28" rx="8" fill="currentColor" opacity=".16"></rect><path d="M8 9.5 12.5 14 8 18.5M14.5 19H20" stroke="currentColor" stroke-width="2.4" stroke-linecap="round" stroke-linejoin="round"></path></svg>`

/**
 * A complete HTML document: a card, in light or dark mode, for phone and desktop, usable without script. Classes for `body`: `lead`,
 * `hint`, `after`, `problem`, `notice good`, `notice bad`, `account`, `actions`, and on buttons `plain` and `link`.
 */
export function page(
  look: Look,
  { title, body, hasProblem = false, hasPassword = false, hasPasskey = false, continues = false, script }: PageContent,
): WebPage {
  const { branding, language, texts } = look
  const logo = branding.logo === undefined ? mark : html`<img src="${branding.logo}" alt="">`
  const scripts = [
    ...(hasPassword ? [showPasswordScript] : []),
    ...(hasPasskey ? [passkeySignIn.script] : []),
    ...(continues ? [continueScript] : []),
    ...(script === undefined ? [] : [script]),
  ]
  const document = html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${hasProblem ? texts.errorTitle(title) : title} · ${branding.name}</title>
<style>${pageStyle(branding)}</style>
</head>
<body>
<header class="brand">${logo}${branding.name}</header>
<main>
${body}
</main>
${footer(look)}${scripts.map(
  (text) => html`${scriptElement(text)}
`,
)}</body>
</html>
`
  return { document: document.toString(), scripts, asksService: hasPasskey }
}

/** The links that the stage has. */
function footer({ branding, texts }: Look): Html | false {
  const { supportUrl, supportEmail, termsUrl, privacyUrl } = branding
  const support = supportUrl ?? (supportEmail && `mailto:${supportEmail}`)
  const links = [
    support && html`<a href="${support}">${texts.footer.support}</a>`,
    termsUrl && html`<a href="${termsUrl}">${texts.footer.terms}</a>`,
    privacyUrl && html`<a href="${privacyUrl}">${texts.footer.privacy}</a>`,
  ].filter((link) => link !== undefined)
  return (
    links.length > 0 &&
    html`<footer class="foot">${links.map(
      (link) => html`${link}
`,
    )}</footer>
`
  )
}
