import { type Branding, cardColors } from '../core/branding.ts'
import { type Html, html } from '../core/html.ts'
import type { Language } from '../core/language.ts'
import { texts } from '../texts/texts.ts'
import type { Mail } from './mailer.ts'

/** The branding of a mail, and the language of the request that caused it. */
export interface MailLook {
  readonly branding: Branding
  readonly language: Language
}

/** The content of a mail. Every text is a single line of plain text, which is escaped in HTML. */
interface MailContent {
  readonly to: string
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** The call to action: a button in HTML, and the full URL in both forms. */
  readonly action?: { readonly label: string; readonly link: string }
  /** Small print after the action: when the link expires, what to do about an unexpected mail. */
  readonly notes: readonly string[]
}

/**
 * Renders the same words in the same order as text and as HTML. The HTML loads nothing: its styles are inline, and its only style block
 * sets the colors of dark mode.
 */
export function renderMail(look: MailLook, content: MailContent): Mail {
  const { to, subject } = content
  return { to, subject, text: textOf(look, content), html: documentOf(look, content).toString() }
}

/** The last lines of every mail: the support address, if the product has one, and the product's name. */
function closing({ branding, language }: MailLook): string[] {
  const where = branding.supportEmail ?? branding.supportUrl
  return [...(where === undefined ? [] : [texts[language].mails.support(where)]), branding.name]
}

function textOf(look: MailLook, { subject, paragraphs, action, notes }: MailContent): string {
  // Every mail program recognizes a URL on its own line, whatever its characters.
  const step = action === undefined ? [] : [`${action.label}:\n${action.link}`]
  return `${[subject, ...paragraphs, ...step, ...notes, ...closing(look)].join('\n\n')}\n`
}

function documentOf(look: MailLook, { subject, paragraphs, action, notes }: MailContent): Html {
  const { accent } = look.branding.colors
  return html`<!doctype html>
<html lang="${look.language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${subject}</title>
<style>
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (prefers-color-scheme: dark) {
  .page { background: #111418 !important; }
  .card { background: ${cardColors.dark} !important; border-color: #343b45 !important; }
  .words { color: #e6e9ed !important; }
  .small { color: #b3bac4 !important; }
  .link { color: ${accent.dark} !important; }
}
</style>
</head>
<body class="page" style="margin:0;padding:0;background:#f3f4f6">
<div class="page" role="article" aria-roledescription="email" aria-label="${subject}" lang="${look.language}" style="background:#f3f4f6;padding:24px 12px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif">
<div class="card" style="max-width:560px;margin:0 auto;padding:32px 28px;background:${cardColors.light};border:1px solid #d9dde3;border-radius:12px">
<h1 class="words" style="margin:0 0 16px;font-size:22px;line-height:1.3;color:#16191d;overflow-wrap:anywhere">${subject}</h1>
${paragraphs.map(paragraphOf)}${action !== undefined && actionOf(look, action)}${notes.map(noteOf)}</div>
<p class="small" style="max-width:560px;margin:16px auto 0;font-size:13px;line-height:1.5;color:#4b535e;text-align:center">${closing(look).map((line) => html`${line}<br>`)}</p>
</div>
</body>
</html>
`
}

function paragraphOf(text: string): Html {
  return html`<p class="words" style="margin:0 0 16px;font-size:16px;line-height:1.5;color:#16191d;overflow-wrap:anywhere">${text}</p>
`
}

function noteOf(text: string): Html {
  return html`<p class="small" style="margin:0 0 8px;font-size:14px;line-height:1.5;color:#4b535e">${text}</p>
`
}

function actionOf({ branding, language }: MailLook, { label, link }: { label: string; link: string }): Html {
  const accent = branding.colors.accent.light
  return html`<p style="margin:24px 0"><a href="${link}" style="display:inline-block;padding:12px 24px;background:${accent};color:#ffffff;font-size:16px;font-weight:600;text-decoration:none;border-radius:8px">${label}</a></p>
<p class="small" style="margin:0 0 16px;font-size:14px;line-height:1.5;color:#4b535e">${texts[language].mails.openLink}<br><a class="link" href="${link}" style="color:${accent};overflow-wrap:anywhere">${link}</a></p>
`
}
