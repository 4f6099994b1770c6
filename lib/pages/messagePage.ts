import { html } from '../core/html.ts'
import { page } from './page.ts'

/** A message with at most one link. */
export interface Message {
  readonly title: string
  readonly text: string
  /** The next page. Has to be a URL of our own: it is not checked. */
  readonly next?: { readonly label: string; readonly href: string }
}

/** A page with a title, a sentence and at most one link. */
export function messagePage({ title, text, next }: Message): string {
  const link = next && html`<a class="button" href="${next.href}">${next.label}</a>`
  return page({
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${link}`,
  })
}
