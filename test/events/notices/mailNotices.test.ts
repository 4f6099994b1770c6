import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { beforeEach, describe, expect, it } from '@jest/globals'
import { createDeliveryQueue } from '../../../lib/adapters/dynamodb/deliveryStore.ts'
import { endpointKey } from '../../../lib/adapters/dynamodb/eventKeys.ts'
import { createEndpointNotices } from '../../../lib/adapters/dynamodb/noticeStore.ts'
import { tables } from '../../../lib/adapters/dynamodb/tables.ts'
import { type MailNoticesDeps, mailNotices } from '../../../lib/events/notices/mailNotices.ts'
import type { EndpointNotice } from '../../../lib/events/notices/ports.ts'
import type { Mail } from '../../../lib/mail/mailer.ts'
import { openDocuments } from '../../adapters/dynamodb/dynamoDbTestBed.ts'
import { plainBranding } from '../../support/branding.ts'
import { mailedMembers } from '../../support/mailedMembers.ts'
import { endpointOf, made, organizationId, uuid } from '../delivery/fixtures.ts'

const TableName = tables.events.localName
const { client } = await openDocuments()
const notices = createEndpointNotices(client, TableName)

let now = made
let sent: Mail[] = []
let logged: unknown[] = []
/** How many of the next mails are refused. */
let refusals = 0
let made1: EndpointNotice

const deps: MailNoticesDeps = {
  notices,
  ...mailedMembers,
  mailer: {
    async send(mail) {
      refusals -= 1
      if (refusals >= 0) throw new Error('SES: paused')
      sent.push(mail)
    },
  },
  branding: plainBranding,
  clock: { now: () => now, sync: async () => {} },
  logger: { info: () => {}, warn: () => {}, error: (...entry) => void logged.push(entry) },
}
const run = () => mailNotices(deps, now + 1000)

let next = 0
beforeEach(async () => {
  next += 1
  now = made + next * 1000
  sent = []
  logged = []
  refusals = 0
  for (const notice of await notices.listDue(Number.MAX_SAFE_INTEGER)) await notices.remove(notice)
  const endpoint = endpointOf({ id: uuid(next), url: 'https://hook.example/in?token=x', failingSince: made })
  const { owner, ...kept } = endpoint
  await client.send(new PutCommand({ TableName, Item: { ...endpointKey(owner, endpoint.id), ...kept } }))
  await createDeliveryQueue(client, TableName).disable(endpoint, 'failing', now)
  made1 = { organizationId, endpointId: endpoint.id, url: endpoint.url, at: now }
})

describe('The mail about a disabled endpoint', () => {
  it('goes to each owner once, in their language, and names only the host', async () => {
    expect(await notices.listDue(now)).toEqual([made1])
    await run()
    await run()
    expect(sent.map(({ to }) => to)).toEqual(['ada@example.com', 'grace@example.com'])
    const [german, english] = sent.map(({ subject, text }) => `${subject} ${text}`)
    expect(german).toMatch(/deaktiviert.*hook/s)
    expect(english).toMatch(/disabled.*hook/s)
    expect(JSON.stringify(sent)).not.toContain('token')
    expect(await notices.listDue(Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  // [catch mailNotices.mailNotices]
  it('is tried again if none was accepted, for a day', async () => {
    refusals = 2
    await run()
    expect(logged).toEqual([['Mail not sent', { reason: 'Error' }]])
    await run()
    expect(sent).toEqual([])
    now += 600_000
    await run()
    expect(sent).toHaveLength(2)
  })

  it('is given up after a day', async () => {
    now += 24 * 3_600_000
    await run()
    expect(sent).toEqual([])
    expect(await notices.listDue(Number.MAX_SAFE_INTEGER)).toEqual([])
  })

  it('is sent by one of two runs, and not if the time is over', async () => {
    await mailNotices(deps, now)
    expect(sent).toEqual([])
    await Promise.all([run(), run()])
    expect(sent).toHaveLength(2)
  })
})
