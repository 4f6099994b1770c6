import { describe, expect, it } from '@jest/globals'
import { invokeFunction } from '../../../infra/local/invokeFunction.ts'
import { type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { deletionBed } from '../../organizations/deletion/deletionBed.ts'
import { peopleOf } from '../../organizations/members/people.ts'
import { useBillingStack } from '../../support/billingStack.ts'

const bed = useBillingStack()
const { person, mailsTo } = peopleOf(bed)
const { run, atRest } = deletionBed(bed)

const rows: readonly FunctionRow[] = manifest
const schedules = rows.filter(({ trigger }) => trigger.kind === 'schedule')
const check = (row: FunctionRow) => invokeFunction(row, { release_check: true })
const passed = { release_check: 'passed' }
const MONTH = 30 * 24 * 60 * 60

const unavailable = { type: 'ValidationException', message: 'no' }

describe('The check of a schedule’s new version', () => {
  it('passes with the service as it is, and does nothing of what is due', async () => {
    const { stack } = bed
    const who = await person()
    await who.call('DELETE', '/api/users/me')
    const { organizationId } = await stack.organizationWithUnknownPurchase()
    await stack.emulator.advance(MONTH + 5)
    await stack.emulator.clearRequests()
    const [items, mails] = [await atRest(), await mailsTo(who.email)]

    expect(await Promise.all(schedules.map(check))).toEqual(schedules.map(() => passed))

    expect(await atRest()).toEqual(items)
    expect(await mailsTo(who.email)).toEqual(mails)
    expect((await stack.emulator.requests()).filter(({ path }) => path.startsWith('/v1/'))).toEqual([])
    expect(await stack.slot(organizationId)).toMatchObject({ state: 'pending' })
  })

  it('passes while a deletion cannot be done, which fails each run: the release may be the one that mends it', async () => {
    const { stack } = bed
    const who = await person()
    await who.call('DELETE', '/api/users/me')
    await stack.emulator.advance(MONTH + 5)
    stack.dynamoDb.fail({ operation: 'UpdateItem', times: 9, error: unavailable })
    stack.dynamoDb.fail({ operation: 'TransactWriteItems', times: 99, error: unavailable })
    await expect(run()).rejects.toThrow('a deletion failed')
    const erase = schedules.filter(({ name }) => name === 'deletions-erase')
    expect(await Promise.all(erase.map(check))).toEqual([passed])
    stack.dynamoDb.reset()
  })

  it.each(schedules)('fails where $name cannot read what its runs read first', async (row) => {
    const { stack } = bed
    for (const operation of ['GetItem', 'Query']) stack.dynamoDb.fail({ operation, times: 9, error: unavailable })
    await expect(check(row)).rejects.toThrow()
    stack.dynamoDb.reset()
  })
})
