import { samplePassword } from '../../../infra/local/samples/sampleAccounts.ts'
import { formFields, textOf } from '../../oauth/authorize/page.ts'
import type { Visitor } from '../../oauth/authorize/visitor.ts'

/**
 * What a person does at the hosted pages between the client's link and its redirect URI: signs in with the password of every new
 * account, and allows, where that is asked.
 * @param link an authorization request
 * @returns the address at the client that the browser is sent to
 */
export async function signInAndAllow(visitor: Visitor, link: string, email: string): Promise<URL> {
  const { search } = new URL(link)
  const form = await visitor.get(search)
  const fields = { email, password: samplePassword }
  const { location } = await visitor.submit(search, form, 'login', { fields })
  const next = await visitor.get(new URL(location ?? '', link).search)
  const answer = next.status === 303 ? next : await visitor.submit(search, next, 'allow')
  if (answer.status !== 303) throw new Error(`${answer.status}: ${textOf(answer.body)}`)
  return new URL(answer.location ?? '')
}

/** Follows a client's link to the end of the session, and presses the button; where that leads. */
export async function signOut({ cookie = '' }: Visitor, link: string): Promise<string | null> {
  const page = await fetch(link, { headers: { cookie } })
  const body = new URLSearchParams(formFields(await page.text()))
  const answer = await fetch(link, { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
  return answer.headers.get('location')
}
