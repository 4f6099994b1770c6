import { html } from '../../core/html.ts'
import type { CompanyProvider } from '../../signIn/provider/ports.ts'
import type { Look } from '../kit/look.ts'
import { applicationStep } from '../kit/nextStep.ts'
import { page, type WebPage } from '../kit/page.ts'
import { startAddress } from './returnAddress.ts'
import type { SignInPlace } from './secondFactorPage.ts'

/** Leads to the single sign-on that an organization requires. A link: see `startAddress`. */
export function singleSignOnPage(
  look: Look,
  {
    provider,
    clientName,
    returnTo,
  }: Pick<SignInPlace, 'clientName' | 'returnTo'> & {
    readonly provider: Pick<CompanyProvider, 'id' | 'name'>
  },
): WebPage {
  const { signIn } = look.texts
  const { href, label } =
    returnTo === undefined
      ? applicationStep(look)
      : { href: startAddress(provider.id, returnTo), label: signIn.withProvider(provider.name) }
  return page(look, {
    title: signIn.title,
    body: html`<h1>${signIn.title}</h1>
<p class="lead">${signIn.lead(clientName)}</p>
<p>${signIn.companyRequired(provider.name)}</p>
<a class="button" href="${href}">${label}</a>`,
  })
}
