import { randomUUID } from 'node:crypto'
import * as z from 'zod'
import { keptMail } from '../emulators/ses/mailbox.ts'
import type { ApiAnswer, LocalClient } from './localClient.ts'

/** The password of every account made here. */
export const newPassword = 'sample-account-password-8d2f'

/** An address that nobody has. */
export function newAddress(): string {
  return `sample-${randomUUID().slice(0, 8)}@example.com`
}

/** A new account whose address is not verified yet, and the token that verifies it. */
export interface NewAccount {
  readonly email: string
  readonly token: string
}

/** Registers an account over the API. */
export async function register(client: LocalClient): Promise<NewAccount> {
  const email = newAddress()
  const username = email.replace(/@.*/, '')
  await post(client, '/api/auth/register', { email, username, password: newPassword })
  return { email, token: await tokenMailedTo(client, email) }
}

/** A new account with a verified address, signed in. */
export async function signUp(client: LocalClient): Promise<NewAccount & { readonly accessToken: string }> {
  const account = await register(client)
  const { body } = await post(client, '/api/auth/verify', { token: account.token })
  const { id } = z.object({ id: z.string() }).parse(body)
  const minted = await post(client, '/_local/authorization-codes', {
    user_id: id,
    redirect_uri: client.info.demo.redirect_uri,
  })
  const { code } = z.object({ code: z.string() }).parse(minted.body)
  return { ...account, accessToken: (await client.exchange(code)).access_token }
}

/** The token of a mail with which this account's password is reset. */
export async function resetToken(client: LocalClient, { email }: NewAccount): Promise<string> {
  await post(client, '/api/auth/password/forgot', { email })
  return tokenMailedTo(client, email)
}

/** The token of a mail that gives this account a new address. */
export async function emailChangeToken(
  client: LocalClient,
  { accessToken }: { readonly accessToken: string },
): Promise<string> {
  const email = newAddress()
  await post(client, '/api/users/me/email/change', { email, current_password: newPassword }, accessToken)
  return tokenMailedTo(client, email)
}

async function post(client: LocalClient, path: string, body: unknown, token?: string): Promise<ApiAnswer> {
  const answer = await client.send({ method: 'POST', path, body, ...(token !== undefined && { token }) })
  if (answer.status >= 300) throw new Error(`${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`)
  return answer
}

/** The token in the newest mail to an address. */
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
