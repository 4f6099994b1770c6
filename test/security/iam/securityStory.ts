import { randomUUID } from 'node:crypto'
import { TOTP } from 'otpauth'
import * as z from 'zod'
import { samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { createFactorResets } from '../../../lib/adapters/dynamodb/factorResetStore.ts'
import { createDocumentClient } from '../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { formFields } from '../../oauth/authorize/page.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import type { BillingStack } from '../../support/billingStack.ts'

const PATH = '/api/account/security'
const userAnswer = z.object({ id: userIdSchema })

/** A browser without script at the pages of authenticators. */
export function browserAt(baseUrl: string) {
  const visitor = new Visitor(baseUrl)
  const visit = async (query: string, form?: Record<string, string>) => {
    const response = await fetch(`${baseUrl}${PATH}${query}`, {
      ...(form && { method: 'POST', body: new URLSearchParams(form) }),
      headers: visitor.cookieHeader,
      redirect: 'manual',
    })
    for (const cookie of response.headers.getSetCookie()) visitor.keep(cookie)
    return response.text()
  }
  /** What a form of the list's page has besides its own fields. */
  const protection = async () => ({ csrf: formFields(await visit('')).csrf ?? '' })
  /** Sends a form with the protection of the list's page. */
  const send = async (form: Record<string, string>) => visit('', { ...(await protection()), ...form })
  return { visit, send, protection }
}

/** The key that a page shows for an app. */
export function secretIn(page: string): string {
  return /<code class="key">([A-Z2-7 ]+)</.exec(page)?.[1]?.replaceAll(' ', '') ?? ''
}

/** A user sets up an app, makes recovery codes and removes the app; then an owner approves the reset of a member. */
export async function changeAuthenticators(stack: BillingStack): Promise<void> {
  const { info } = stack.client
  const user = await signUp(stack.client)
  const own = browserAt(info.base_url)
  await own.send({ action: 'login', email: user.email, password: samplePassword })
  const page = await own.send({ action: 'begin_totp' })
  const secret = secretIn(page)
  const clock = await fetch(`${info.stripe.api_base}/_emulator/clock`)
  const { now } = z.object({ now: z.number() }).parse(await clock.json())
  await own.send({ action: 'confirm_totp', code: new TOTP({ secret }).generate({ timestamp: now * 1000 }) })
  await own.send({ action: 'create_codes' })

  const me = await stack.client.send({ method: 'GET', path: '/api/users/me', token: user.accessToken })
  const { id: user_id } = userAnswer.parse(me.body)
  const organization_id = await stack.client.newOrganization()
  await stack.client.send({
    method: 'POST',
    path: '/_local/memberships',
    body: { user_id, organization_id, role: 'member' },
  })
  const documents = createDocumentClient({ endpoint: info.dynamodb_endpoint, region: 'us-east-1' })
  const requestedAt = (now + 3600) * 1000
  const reset = {
    id: randomUUID(),
    requestedAt,
    credentialsRev: 0,
    language: 'en',
    effectiveAt: requestedAt * 2,
  } as const
  await createFactorResets(documents, info.tables.accounts).request(user_id, reset, undefined)
  documents.destroy()
  const owner = browserAt(info.base_url)
  await owner.send({ action: 'login', email: info.demo.owner.email, password: info.demo.owner.password })
  await owner.visit(`?view=reset&organization_id=${organization_id}&user_id=${user_id}`)
  await owner.send({ action: 'approve_reset', organization_id, user_id })
  await own.send({ action: 'remove_totp' })
}
