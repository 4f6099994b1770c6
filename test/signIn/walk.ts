import { localTokens } from '../../infra/data/demo.ts'
import type { LocalInfo } from '../../infra/local/info.ts'
import { samplePassword } from '../../infra/local/sampleAccounts.ts'
import { formFields, textOf } from '../authorize/page.ts'
import type { Visitor } from '../authorize/visitor.ts'

type Stack = Pick<LocalInfo, 'base_url'>

interface Sent {
  method?: string | undefined
  headers?: Headers | Record<string, string> | undefined
  body?: unknown
}

/** An address at the issuer, as discovery names it, at the port where the stack listens. */
export function atStack({ base_url }: Stack, address: string): string {
  const { origin, pathname, search } = new URL(address)
  if (origin !== localTokens.issuer) throw new Error(`${origin} is not the issuer`)
  return `${base_url}${pathname}${search}`
}

/** `fetch` for client libraries: what they send to the issuer arrives at the stack. */
export function fetchFrom(stack: Stack) {
  return (address: string, { method = 'GET', headers = {}, body }: Sent): Promise<Response> =>
    fetch(atStack(stack, address), { method, headers, ...(body != null && { body: `${body}` }) })
}

/**
 * What a person does at the hosted pages between the client's link and its redirect URI: signs in with the password of every new
 * account, and allows.
 * @param link an authorization request
 * @returns the address at the client that the browser is sent to
 */
export async function signInAndAllow(visitor: Visitor, link: string, email: string): Promise<URL> {
  const { search } = new URL(link)
  const form = await visitor.get(search)
  const fields = { email, password: samplePassword }
  const { location } = await visitor.submit(search, form, 'login', { fields })
  const consent = await visitor.get(new URL(location ?? '', link).search)
  const answer = await visitor.submit(search, consent, 'allow')
  if (answer.status !== 303) throw new Error(`${answer.status}: ${textOf(answer.body)}`)
  return new URL(answer.location ?? '')
}

/** Follows a client's link to the end of the session, and presses the button; where that leads. */
export async function signOut(stack: Stack, { cookie = '' }: Visitor, link: string): Promise<string | null> {
  const address = atStack(stack, link)
  const page = await fetch(address, { headers: { cookie } })
  const body = new URLSearchParams(formFields(await page.text()))
  const answer = await fetch(address, { method: 'POST', headers: { cookie }, body, redirect: 'manual' })
  return answer.headers.get('location')
}
