import { beforeAll, describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { registerPartner } from '../../support/partner.ts'
import { peopleOf } from '../members/people.ts'
import { tenantOperations } from '../members/tenantOperations.ts'
import { type Caller, ruledTeamsOf, twoFactors } from './ruledTeam.ts'
import { challenge, noFactor, required } from './ruleRefusals.ts'

const bed = useBillingStack()
const { stored, setRole } = peopleOf(bed)
const { ruledTeam, setSecondFactor, signedIn } = ruledTeamsOf(bed)
const operations = await tenantOperations()

beforeAll(() => registerPartner(bed.stack.client.info))

describe('Every operation on an organization', () => {
  let all: Awaited<ReturnType<typeof ruledTeam>>
  let refused: Record<string, { who: Caller; answer: object }>
  beforeAll(async () => {
    all = await ruledTeam({ ...required, max_session_days: 1, allowed_clients: [] })
    const { member, owner, billing_admin: admin, id } = all
    await setRole(id, member, 'owner')
    await setRole(id, admin, 'owner')
    await setSecondFactor(admin, true)
    const old = { secondsAgo: 86_401, methods: twoFactors }
    refused = {
      'a sign-in before the rule, of a member without a factor': { who: member, answer: noFactor },
      'a sign-in before the rule, with one factor': { who: admin, answer: challenge('acr_values="aal2"') },
      'an old sign-in': { who: await signedIn(owner, old), answer: challenge('max_age="86400"') },
    }
  })

  // [threat 93.1]
  it.each(operations)('$name refuses a sign-in that breaks a rule, and writes and calls nothing', async ({ call }) => {
    const before = await stored(all.id)
    await bed.stack.emulator.clearRequests()
    for (const [why, { who, answer }] of Object.entries(refused)) {
      bed.stack.dynamoDb.reset()
      const given = await call(who, all.id, all.member.id)
      // What needs a recent sign-in says so first, and both ask for all that is missing.
      const stepsUp = given.status === 401 && given.text.includes('within 10 minutes')
      expect([why, given]).toMatchObject([why, stepsUp ? { status: 401 } : answer])
      expect(bed.stack.writes()).toEqual([])
    }
    expect(await bed.stack.emulator.requests()).toEqual([])
    expect(await stored(all.id)).toEqual(before)
  })

  // [threat 93.6]
  it.each(operations)('$name answers a stranger as if there were no rules', async ({ call }) => {
    expect((await call(all.stranger, all.id, all.member.id)).status).toBe(404)
  })
})
