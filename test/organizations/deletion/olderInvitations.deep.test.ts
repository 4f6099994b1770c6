import { DeleteCommand } from '@aws-sdk/lib-dynamodb'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { eraseInvitations } from '../../../lib/adapters/dynamodb/invitedAddress.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { peopleOf } from '../members/people.ts'

const bed = useBillingStack()
const operate = commandOn(bed, 'operate')
const { team } = peopleOf(bed)

describe('An invitation that was stored before invitations were listed by their address', () => {
  it('is listed by npm run operate -- backfill-invitations, and then erased with the address', async () => {
    const { owner, path } = await team()
    const email = 'older-invitation@example.com'
    const { documents } = bed.stack
    const { tables } = bed.stack.client.info
    const held = async () => (await bed.stack.items()).filter((item) => JSON.stringify(item).includes(email))
    const listed = async () => (await bed.stack.items()).filter(({ pk }) => String(pk).startsWith('INVITED#'))
    const erase = () => eraseInvitations(documents, tables.billing, email)
    expect((await owner.call('POST', `${path}/invitations`, { email, role: 'member' })).status).toBe(202)
    for (const item of await listed()) {
      const Key = z.object({ pk: z.string(), sk: z.string() }).parse(item)
      await documents.send(new DeleteCommand({ TableName: tables.billing, Key }))
    }
    await erase()
    expect(await held()).toHaveLength(1)
    const dry = await operate('backfill-invitations', '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('1 invitations would be') })
    expect(await listed()).toEqual([])
    const done = await operate('backfill-invitations')
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining('1 invitations were') })
    expect(done.output).not.toContain('@')
    expect((await operate('backfill-invitations')).output).toContain('0 invitations')
    await erase()
    expect([await held(), await listed()]).toEqual([[], []])
  })
})
