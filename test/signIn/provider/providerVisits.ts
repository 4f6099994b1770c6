import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll } from '@jest/globals'
import type { EmulatedPerson } from '../../../infra/emulators/openid/people.ts'
import { startOpenIdServer } from '../../../infra/emulators/openid/startOpenIdServer.ts'
import { createActivityLog } from '../../../lib/adapters/dynamodb/activityStore.ts'
import { createIdentities } from '../../../lib/adapters/dynamodb/identityStore.ts'
import { createSignInProviders } from '../../../lib/adapters/dynamodb/signInProviderStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { createProviderSecretCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import type { UserId } from '../../../lib/core/ids.ts'
import { formFields, textOf } from '../../oauth/authorize/page.ts'
import { queryOf, registerClient } from '../../oauth/authorize/people.ts'
import { type AccountsStack, CUSTOMER_KEY, useAccountsStack } from '../../support/accountsStack.ts'

/** The service as the provider knows it. */
export const client = { clientId: 'service', clientSecret: 'secret of the service' }

/** A stack with an OpenID provider, whose people each test adds. */
export function useProvider() {
  const stack = useAccountsStack()
  const people: EmulatedPerson[] = []
  let provider: Awaited<ReturnType<typeof startOpenIdServer>>
  beforeAll(async () => {
    process.env.EVENT_DESTINATIONS = 'public_or_loopback'
    provider = await startOpenIdServer({ client, people, now: stack().clock.now })
    await register(stack(), { issuer: provider.issuer })
  })
  afterAll(async () => {
    delete process.env.EVENT_DESTINATIONS
    await provider.close()
  })
  return {
    stack,
    provider: () => provider,
    /** Somebody with an account at the provider. */
    person(change: Partial<EmulatedPerson> = {}): EmulatedPerson {
      const subject = randomUUID()
      const person = { subject, name: 'Some Body', email: `${subject}@example.com`, isEmailVerified: true, ...change }
      people.push(person)
      return person
    },
    identities: () => createIdentities(stack().documents, tables.accounts.localName),
    providers: () => createSignInProviders(stack().documents, tables.accounts.localName),
    /** What the activity of a user has, the newest first. */
    async activityOf(userId: UserId): Promise<string[]> {
      const { documents, clock } = stack()
      const log = createActivityLog(documents, tables.accounts.localName)
      const { entries } = await log.list(userId, { limit: 9, now: clock.now(), from: undefined })
      return entries.map(({ type }) => type)
    },
    browser: () => new Browser(stack().baseUrl),
  }
}

/** Registers the service at a provider, as an operator does. */
export async function register(
  stack: AccountsStack,
  { id = 'acme', issuer, trustAcr = false }: { id?: string; issuer: string; trustAcr?: boolean },
): Promise<void> {
  const kms = createKmsClient({ endpoint: stack.kms.endpoint, region: 'us-east-1' })
  const cipher = await createProviderSecretCipher({ client: kms, keyId: CUSTOMER_KEY }).encrypt(
    'operator',
    client.clientSecret,
  )
  kms.destroy()
  const { clientId } = client
  await createSignInProviders(stack.documents, tables.accounts.localName).put({
    ...{ id, name: 'Acme & Sons', issuer, clientId, cipher, trustAcr, createdAt: stack.clock.now() },
  })
}

export interface Shown {
  readonly status: number
  readonly location: string | null
  readonly body: string
  readonly text: string
}

/** A browser without script that keeps every cookie. */
export class Browser {
  readonly #baseUrl: string
  readonly cookies = new Map<string, string>()

  constructor(baseUrl: string) {
    this.#baseUrl = baseUrl
  }

  get(path: string): Promise<Shown> {
    return this.#send(path, { method: 'GET' })
  }

  submit(
    path: string,
    shown: Shown,
    fields: Record<string, string>,
    others: Record<string, string> = {},
  ): Promise<Shown> {
    const body = new URLSearchParams({ ...formFields(shown.body), ...fields }).toString()
    const headers = { 'content-type': 'application/x-www-form-urlencoded', ...others }
    return this.#send(path, { method: 'POST', headers, body })
  }

  /** Follows the button of the provider on a page, chooses who to be there, and opens the address that the provider leads back to. */
  async signInAs({ subject }: Pick<EmulatedPerson, 'subject'>, page: Shown): Promise<Shown> {
    return this.get(await this.visitProvider(subject, page))
  }

  /** The same up to that address, as a path of this service. */
  async visitProvider(subject: string, page: Shown): Promise<string> {
    const [, start = ''] = /href="(\/api\/sso\/start[^"]*)"/.exec(page.body) ?? []
    const leading = await this.get(start.replaceAll('&amp;', '&'))
    if (leading.location === null) return start
    const answer = await fetch(`${leading.location}&person=${subject}`, { redirect: 'manual' })
    const { pathname, search } = new URL(answer.headers.get('location') ?? '', leading.location)
    return pathname + search
  }

  async #send(path: string, init: RequestInit): Promise<Shown> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    const response = await fetch(this.#baseUrl + path, { ...init, headers, redirect: 'manual' })
    for (const cookie of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? []
      if (/Max-Age=0\b/.test(cookie)) this.cookies.delete(name)
      else this.cookies.set(name, value)
    }
    const body = await response.text()
    return { status: response.status, location: response.headers.get('location'), body, text: textOf(body) }
  }
}

/** The sign-in page of a first-party client. */
export async function openSignIn(stack: AccountsStack, browser: Browser, parameters: Record<string, string> = {}) {
  const registered = await registerClient(stack, { firstParty: true })
  const path = `/api/oauth/authorize?${queryOf(registered, parameters)}`
  return { path, page: await browser.get(path) }
}
