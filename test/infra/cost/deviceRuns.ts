import * as z from 'zod'
import { demoDeviceClient } from '../../../infra/data/demo.ts'
import { samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { DEVICE_CODE } from '../../../lib/oauth/oauthClient.ts'
import { signInAt } from '../../oauth/authorize/people.ts'
import { Visitor } from '../../oauth/authorize/visitor.ts'
import type { BillingStack } from '../../support/billingStack.ts'

const codes = z.looseObject({ device_code: z.string(), user_code: z.string() })
const client_id = demoDeviceClient.clientId

/** Asks for the codes of a device. */
async function ask({ client }: BillingStack) {
  const body = { client_id, scope: 'openid profile' }
  const answer = await client.send({ method: 'POST', path: '/api/oauth/device_authorization', body })
  return codes.parse(answer.body)
}

const poll = ({ client }: BillingStack, device_code: string) =>
  client.send({ method: 'POST', path: '/api/oauth/token', body: { client_id, grant_type: DEVICE_CODE, device_code } })

/** A new user at the form of the code. */
async function atPage({ client }: BillingStack) {
  const { email } = await signUp(client)
  const visitor = new Visitor(client.info.base_url, '/api/device')
  await signInAt(visitor, '', email, samplePassword)
  return { visitor, page: await visitor.get('') }
}

/** A new user who has typed the code of a device. */
async function asked(stack: BillingStack) {
  const { device_code, user_code } = await ask(stack)
  const { visitor, page } = await atPage(stack)
  const question = await visitor.submit('', page, 'code', { fields: { user_code } })
  return { device_code, allow: () => visitor.submit('', question, 'allow') }
}

/** The runs of the operations of devices. */
export const deviceRuns: Readonly<Record<string, (stack: BillingStack) => Promise<() => Promise<unknown>>>> = {
  'codes for a device': async (stack) => () => ask(stack),
  'page of devices': async (stack) => {
    const { visitor } = await atPage(stack)
    return () => visitor.get('')
  },
  'code of a device': async (stack) => {
    const { user_code } = await ask(stack)
    const { visitor, page } = await atPage(stack)
    return () => visitor.submit('', page, 'code', { fields: { user_code } })
  },
  'consent to a device': async (stack) => (await asked(stack)).allow,
  'poll of a device': async (stack) => {
    const { device_code } = await ask(stack)
    return () => poll(stack, device_code)
  },
  'tokens for a device': async (stack) => {
    const { device_code, allow } = await asked(stack)
    await allow()
    return () => poll(stack, device_code)
  },
}
