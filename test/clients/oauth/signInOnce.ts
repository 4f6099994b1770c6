import * as z from 'zod'
import type { LocalClient } from '../../../infra/local/localClient.ts'
import { samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import { signInAndAllow } from '../../signIn/hosted/walk.ts'
import type { OauthLibrary, RegisteredClient } from './library.ts'

/** Types the code of a device at its page, and allows it. */
async function allowDevice(link: string, email: string): Promise<URL> {
  const { origin, pathname, hash } = new URL(link)
  const visitor = new Visitor(origin, pathname)
  await visitor.submit('', await visitor.get(''), 'login', { fields: { email, password: samplePassword } })
  const fields = { user_code: hash.slice(1) }
  const asked = await visitor.submit('', await visitor.get(''), 'code', { fields })
  await visitor.submit('', asked, 'allow')
  return new URL(link)
}

/**
 * Lets a library sign a new person in from a client, through discovery and the hosted pages.
 * @throws Error where a token is another person's, or a revoked one is refreshed
 */
export async function signInOnce(library: OauthLibrary, stack: LocalClient, client: RegisteredClient): Promise<void> {
  const { email } = await signUp(stack)
  const { base_url, issuer } = stack.info
  const visitor = new Visitor(base_url)
  const { signedIn, refreshed, refusal } = await library.signIn({
    issuer,
    client,
    visit: (link) => (client.redirectUri === '' ? allowDevice(link, email) : signInAndAllow(visitor, link, email)),
    async emailOf(token) {
      const { body } = await stack.send({ method: 'GET', path: '/api/users/me', token })
      return z.object({ email: z.string() }).parse(body).email
    },
  })
  if (signedIn !== email || refreshed !== email) throw new Error(`${email} is ${signedIn}, then ${refreshed}`)
  if (!/invalid_grant|400/.test(refusal)) throw new Error(`a revoked token was refused with ${refusal}`)
}
