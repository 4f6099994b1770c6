import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { keptMail } from '../../emulators/ses/startSesServer.ts'
import type { ApiAnswer, LocalClient } from '../localClient.ts'

export const samplePassword = 'sample-account-password-8d2f'

/** An address that has no account. */
export function newEmail(): string {
  return `sample-${randomUUID().slice(0, 8)}@example.com`
}

/** A new account with an unverified address, and the token that verifies it. */
interface SampleAccount {
  readonly email: string
  readonly token: string
}

/** Registers an account over the API. */
export async function register(client: LocalClient, email = newEmail()): Promise<SampleAccount> {
  const username = email.replace(/@.*/, '')
  await post(client, '/api/auth/register', { email, username, password: samplePassword })
  return { email, token: await tokenMailedTo(client, email) }
}

/** Registers an account, verifies its address and signs it in. */
export async function signUp(
  client: LocalClient,
  email = newEmail(),
): Promise<SampleAccount & { readonly accessToken: string }> {
  const account = await register(client, email)
  const { body } = await post(client, '/api/auth/verify', { token: account.token, password: samplePassword })
  const { id } = z.object({ id: z.string() }).parse(body)
  const minted = await post(client, '/_local/authorization-codes', {
    user_id: id,
    redirect_uri: client.info.demo.redirect_uri,
  })
  const { code } = z.object({ code: z.string() }).parse(minted.body)
  return { ...account, accessToken: (await client.exchange(code)).access_token }
}

/** Requests a reset of this account's password. Returns the mailed token. */
export async function resetToken(client: LocalClient, { email }: SampleAccount): Promise<string> {
  await post(client, '/api/auth/password/forgot', { email })
  return tokenMailedTo(client, email)
}

/** Requests a change to a new address. Returns the mailed token. */
export async function emailChangeToken(
  client: LocalClient,
  { accessToken }: { readonly accessToken: string },
  email = newEmail(),
): Promise<string> {
  await post(client, '/api/users/me/email/change', { email, current_password: samplePassword }, accessToken)
  return tokenMailedTo(client, email)
}

async function post(client: LocalClient, path: string, body: unknown, token?: string): Promise<ApiAnswer> {
  const answer = await client.send({ method: 'POST', path, body, ...(token !== undefined && { token }) })
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** The token in the newest mail to an address. Throws if there is no such mail. */
export async function tokenMailedTo(client: LocalClient, address: string): Promise<string> {
  const { body } = await client.send({ method: 'GET', path: '/_local/mail.json' })
  const mail = z
    .array(keptMail)
    .parse(body)
    .find(({ to }) => to === address)
  const token = /[?&]token=([\w-]+)/.exec(mail?.text ?? '')?.[1]
  if (token === undefined) throw new Error(`no mail with a link went to ${address}`)
  return token
}

const sessionList = z.object({ sessions: z.array(z.object({ id: z.string() })).min(1) })

/** The id of a new account's only session. */
export async function sessionId(client: LocalClient, token: string): Promise<string> {
  const { body } = await client.send({ method: 'GET', path: '/api/users/me/sessions', token })
  return sessionList.parse(body).sessions[0]?.id ?? ''
}
