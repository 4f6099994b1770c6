import { html } from '../../core/html.ts'
import type { Look } from './look.ts'
import type { NextStep } from './nextStep.ts'
import { page, type WebPage } from './page.ts'

/** A message and the next step: no page is a dead end. */
export interface Message {
  readonly title: string
  readonly text: string
  readonly next: NextStep
  /** Another way, for some readers. */
  readonly other?: NextStep | undefined
}

/**
 * A page with a title, a sentence and a link.
 * @param going whether the page follows the link by itself
 */
export function messagePage(
  look: Look,
  { title, text, next, other }: Message,
  going: 'when_asked' | 'at_once' = 'when_asked',
): WebPage {
  const continues = going === 'at_once'
  return page(look, {
    title,
    continues,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
<a class="button" href="${next.href}"${continues && html` data-continue`}>${next.label}</a>${
      other &&
      html`
<p class="after"><a href="${other.href}">${other.label}</a></p>`
    }`,
  })
}
