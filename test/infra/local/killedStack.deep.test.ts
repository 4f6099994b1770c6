import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals'
import { type LocalClient, localClient } from '../../../infra/local/localClient.ts'
import { type ChildStack, spawnScript } from './support/childStack.ts'

let folder: string
let running: ChildStack | undefined
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'killed-stack-'))
})
afterEach(async () => {
  await running?.stop()
  await rm(folder, { recursive: true })
})

async function start(): Promise<LocalClient> {
  running = spawnScript('local/start.ts', ['--port', '0', '--data', folder])
  return localClient(await running.ready())
}

async function buy(client: LocalClient): Promise<void> {
  const { access_token: token } = await client.signIn('owner')
  const organizationId = client.info.demo.organization_id
  const payment_method_id = await client.addCard({ token, organizationId, testCard: 'pm_card_visa' })
  const { status, body } = await client.send({
    method: 'POST',
    path: `/api/billing/checkout?organization_id=${organizationId}`,
    token,
    body: { product_codes: ['base_ota'], payment_method_id },
  })
  expect([status, body]).toEqual([201, expect.anything()])
}

describe('A local stack with --data that is killed right after a purchase', () => {
  // [bug 16]
  it('has the subscription when it is started again, at the gateway and in the record', async () => {
    const before = await start()
    await buy(before)
    await running?.stop('SIGKILL')
    const after = await start()
    const { data } = await after.stripe.subscriptions.list({ status: 'all' })
    expect(data).toMatchObject([{ status: 'active' }])
    expect((await after.stripe.charges.list()).data).toHaveLength(1)
    // Of its own: the stack has another port now, and so another issuer.
    const { access_token: token } = await after.signIn('owner')
    const path = `/api/billing/entitlements?organization_id=${after.info.demo.organization_id}`
    const { body } = await after.send({ method: 'GET', path, token })
    expect(body).toMatchObject({
      entitlements: expect.arrayContaining([expect.objectContaining({ product: 'ota', active: true })]),
    })
  })
})
