import { demoProvider, demoUsers } from '../../../infra/data/demo.ts'
import { sampleLogoutToken, signOnOrganization } from '../../../infra/local/samples/sampleSignOn.ts'
import { createSignInProviders } from '../../../lib/adapters/dynamodb/signInProviderStore.ts'
import { Browser } from '../../signIn/provider/providerVisits.ts'
import type { Ground } from './canaryFailures.ts'

const CALLBACK = '/api/sso/callback'

/** A person says no at a provider, connects an identity there, and meets a provider that does not answer. */
export async function signInAtProviders({ stack, canaries }: Ground): Promise<void> {
  const { base_url, tables } = stack.client.info
  const browser = new Browser(base_url)
  const page = await browser.get('/api/device')
  await browser.signInAs({ subject: '' }, page)
  const [{ email: newcomer }, , { subject }] = demoProvider.people
  canaries.add('address at a provider', newcomer)
  const back = await browser.visitProvider(subject, page)
  canaries.add('secret of a sign-in at a provider', browser.cookies.get('__Host-provider-sign-in') ?? '')
  canaries.add('state of a sign-in at a provider', new URLSearchParams(back).get('state') ?? '')
  await browser.get(back)
  const { email, password } = demoUsers.stranger
  await browser.submit(CALLBACK, await browser.get(CALLBACK), { action: 'login', email, password })
  await browser.submit(CALLBACK, await browser.get(CALLBACK), { action: 'connect' })
  const providers = createSignInProviders(stack.documents, tables.accounts)
  const registered = await providers.find(demoProvider.id)
  if (registered === undefined) throw new Error('the stack has no provider')
  await providers.put({ ...registered, id: 'gone', issuer: 'http://127.0.0.1:1' })
  await browser.get('/api/sso/start?provider=gone&page=device')
  await providers.remove('gone')

  const organizationId = await signOnOrganization(stack.client)
  const token = await sampleLogoutToken(stack.client)
  canaries.add('logout token', token)
  const path = `/api/sso/backchannel-logout/${organizationId}`
  const body = new URLSearchParams({ logout_token: token })
  await fetch(stack.client.info.base_url + path, { method: 'POST', body })
}
