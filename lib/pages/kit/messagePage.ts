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

/** A page with a title, a sentence and a link. */
export function messagePage(look: Look, { title, text, next, other }: Message): WebPage {
  return page(look, {
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
<a class="button" href="${next.href}">${next.label}</a>${
      other &&
      html`
<p class="after"><a href="${other.href}">${other.label}</a></p>`
    }`,
  })
}
