import { html } from '../../../lib/core/html.ts'
import type { EmulatedPerson } from './people.ts'

/** Asks a developer who to be. Each choice is a link to the same address with `person`; no `person` has an empty subject. */
export function personPage(people: readonly EmulatedPerson[], request: URLSearchParams): string {
  const linkFor = (subject: string) => `?${new URLSearchParams([...request, ['person', subject]])}`
  const page = html`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Emulated provider</title>
<style>body { font: 16px/1.5 system-ui, sans-serif; max-width: 26rem; margin: 12vh auto; padding: 0 1rem } li { margin: .6rem 0 }</style>
<h1>Who are you?</h1>
<p>This is the OpenID provider of the local stack. Choose the person to sign in as.</p>
<ul>${people.map(
    ({ subject, name, email, isEmailVerified, hasTwoFactors }) =>
      html`<li><a href="${linkFor(subject)}">${name}</a><br>${email}${!isEmailVerified && ', not verified'}${hasTwoFactors && ', with two factors'}</li>`,
  )}</ul>
<p><a href="${linkFor('')}">Cancel</a></p>
</html>`
  return String(page)
}
