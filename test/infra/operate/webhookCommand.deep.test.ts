import { createServer } from 'node:http'
import { QueryCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, it } from '@jest/globals'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { createWebhookVerifier } from '../../events/endpoints/verifyWebhook.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import { setAttributes } from '../../support/setAttributes.ts'

const bed = useBillingStack()
const operate = commandOn(bed, 'operate', 'webhooks')

const received: { headers: Record<string, unknown>; body: string }[] = []
const receiver = await listenOnLoopback(
  createServer(async (request, response) => {
    received.push({ headers: request.headers, body: (await request.setEncoding('utf8').toArray()).join('') })
    response.end()
  }),
)
afterAll(() => receiver.close())

const idIn = (output: string) => /[0-9a-f-]{36}/.exec(output)?.[0] ?? ''
const secretIn = (output: string) => /whsec_[A-Za-z0-9+/]{43}=/.exec(output)?.[0]

/** The stored endpoints of the operator. */
async function stored() {
  const { Items = [] } = await bed.stack.documents.send(
    new QueryCommand({
      TableName: bed.stack.client.info.tables.events,
      KeyConditionExpression: 'pk = :pk AND begins_with(sk, :endpoint)',
      ExpressionAttributeValues: { ':pk': 'OPERATOR', ':endpoint': 'ENDPOINT#' },
    }),
  )
  return Items.filter(({ url }) => String(url).startsWith(receiver.url))
}

describe('npm run operate -- webhooks', () => {
  it('adds an endpoint whose secret it prints once, tests it, and rotates the secret beside the old secret', async () => {
    const dry = await operate('add', receiver.url, '--type', 'invoice.paid', '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('would be added') })
    expect([secretIn(dry.output), await stored()]).toEqual([undefined, []])
    const added = await operate('add', receiver.url, '--type', 'invoice.paid', '--type', 'member.added')
    expect(added).toMatchObject({ code: 0, output: expect.stringContaining('was added') })
    const [id, secret] = [idIn(added.output), secretIn(added.output) ?? '']
    expect(await stored()).toMatchObject([{ id, eventTypes: ['invoice.paid', 'member.added'], enabled: true }])
    const rotated = await operate('rotate', id)
    const newer = secretIn(rotated.output) ?? ''
    expect(newer).not.toBe(secret)

    expect(await operate('test', id)).toMatchObject({ code: 0, output: expect.stringContaining('was sent a test') })
    await runSchedule('events-deliver')
    const [sent] = received
    for (const each of [secret, newer])
      expect(createWebhookVerifier(each)(sent)).toMatchObject({ type: 'endpoint.test' })
    expect(JSON.parse(sent?.body ?? '')).toMatchObject({ organization_id: null, sequence: null, data: { id } })

    expect((await operate('list')).output).toContain(`${id}  enabled  since `)
    expect((await operate('list')).output).not.toContain('whsec_')
    expect((await operate('remove', id)).output).toContain('was removed')
    expect(await stored()).toEqual([])
    expect(await operate('remove', id)).toMatchObject({ code: 2, output: expect.stringContaining('no such endpoint') })
  })

  it('enables an endpoint that the service disabled, which a test is refused until then', async () => {
    const id = idIn((await operate('add', receiver.url)).output)
    const key = { pk: 'OPERATOR', sk: `ENDPOINT#${id}` }
    const disabled = { enabled: false, disabledReason: 'gone', failingSince: 1 }
    await setAttributes(bed.stack.documents, bed.stack.client.info.tables.events, key, disabled)
    for (const how of [['--dry-run'], []])
      expect(await operate('test', id, ...how)).toMatchObject({
        code: 2,
        output: expect.stringContaining('is disabled: webhooks enable ID'),
      })
    expect((await operate('enable', id, '--dry-run')).output).toContain('would be enabled')
    expect(await stored()).toMatchObject([{ enabled: false, disabledReason: 'gone' }])
    expect((await operate('enable', id)).output).toContain('was enabled')
    const [item] = await stored()
    expect([item?.enabled, item?.disabledReason, item?.failingSince]).toEqual([true, undefined, undefined])
    for (const verb of ['enable', 'test', 'remove']) expect((await operate(verb, id)).code).toBe(0)
  })

  // [catch operateEndpoints.add]
  it('refuses an address that events may not be sent to, and an eleventh endpoint', async () => {
    expect(await operate('add', 'https://10.0.0.1/in')).toMatchObject({
      code: 2,
      output: expect.stringContaining('forbidden_address'),
    })
    const before = Number(/(\d+) endpoints of the operator/.exec((await operate('list')).output)?.[1])
    const ids: string[] = []
    for (let made = before; made < 10; made += 1) ids.push(idIn((await operate('add', receiver.url)).output))
    for (const how of [['--dry-run'], []])
      expect(await operate('add', receiver.url, ...how)).toMatchObject({
        code: 2,
        output: expect.stringContaining('has 10 endpoints'),
      })
    for (const id of ids) await operate('remove', id)
  })

  it.each([
    ['add'],
    ['add', 'https://hooks.localhost', '--type', 'everything'],
    ['remove', 'one'],
    ['list', 'all'],
    ['turn', 'x'],
  ])('says how it is used: %s %s', async (...args) => {
    expect((await operate(...args)).code).toBe(1)
  })
})
