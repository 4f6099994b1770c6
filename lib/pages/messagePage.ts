import { html } from '../core/html.ts'
import { page } from './page.ts'

/** A page that says one thing, with a way on where there is one. */
export interface Message {
  readonly title: string
  readonly text: string
  /** Where to go from here; an address of our own, for nothing checks it. */
  readonly next?: { readonly label: string; readonly href: string }
}

/** A page with a title, a sentence and at most one link: errors, and the end of things. */
export function messagePage({ title, text, next }: Message): string {
  const link = next && html`<a class="button" href="${next.href}">${next.label}</a>`
  return page({
    title,
    body: html`<h1>${title}</h1>
<p class="lead">${text}</p>
${link}`,
  })
}
