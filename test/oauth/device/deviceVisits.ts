import * as z from 'zod'
import { DEVICE_CODE, type OAuthClient } from '../../../lib/oauth/oauthClient.ts'
import type { AccountsStack } from '../../support/accountsStack.ts'
import { PASSWORD, registerClient, registerUser } from '../authorize/people.ts'
import { type Met, type Sending, Visitor } from '../authorize/visitor.ts'
import { requestToken } from '../token/tokenRequests.ts'

export const codesAnswer = z.strictObject({
  device_code: z.string(),
  user_code: z.string(),
  verification_uri: z.string(),
  expires_in: z.number(),
  interval: z.number(),
})

/** A public client of devices, first-party if nothing else is said. */
export function registerDeviceClient(stack: Pick<AccountsStack, 'clients'>, change: Partial<OAuthClient> = {}) {
  const grantTypes = [DEVICE_CODE, 'refresh_token'] as const
  const client = { type: 'public', name: 'Command line', redirectUris: [], firstParty: true } as const
  return registerClient(stack, { ...client, grantTypes, ...change })
}

/** Sends a device authorization request as a form or as JSON. */
export async function askForCodes(
  { baseUrl }: AccountsStack,
  fields: Record<string, string>,
  as: 'form' | 'json' = 'form',
) {
  const response = await fetch(`${baseUrl}/api/oauth/device_authorization`, {
    method: 'POST',
    headers: { 'content-type': as === 'json' ? 'application/json' : 'application/x-www-form-urlencoded' },
    body: as === 'json' ? JSON.stringify(fields) : new URLSearchParams(fields),
  })
  return { status: response.status, headers: response.headers, body: (await response.json()) as unknown }
}

/** A device of a client, which shows its code and polls. */
export async function startDevice(
  stack: AccountsStack,
  { clientId }: Pick<OAuthClient, 'clientId'>,
  scope = 'openid profile',
) {
  const { body } = await askForCodes(stack, { client_id: clientId, scope })
  const codes = codesAnswer.parse(body)
  const request = { client_id: clientId, grant_type: DEVICE_CODE, device_code: codes.device_code }
  return { ...codes, request, poll: () => requestToken(stack, request) }
}

/** A person at the page of devices, signed in as a new user. */
export async function atDevicePage(stack: AccountsStack) {
  const user = await registerUser(stack)
  return { user, ...(await signedInAtDevicePage(stack, user.email)) }
}

/** The same as a user who exists. */
export async function signedInAtDevicePage(stack: AccountsStack, email: string) {
  const visitor = new Visitor(stack.baseUrl, '/api/device')
  const signIn = await visitor.get('')
  await visitor.submit('', signIn, 'login', { fields: { email, password: PASSWORD } })
  const page = await visitor.get('')
  const send = (from: Met, action: string, sending?: Sending) => visitor.submit('', from, action, sending)
  return {
    visitor,
    page,
    type: (userCode: string) => send(page, 'code', { fields: { user_code: userCode } }),
    /** Types the code, and answers what the next page asks. */
    async answer(userCode: string, action: 'allow' | 'deny') {
      const asked = await send(page, 'code', { fields: { user_code: userCode } })
      return send(asked, action)
    },
  }
}
