import { describe, expect, it } from '@jest/globals'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'

const bed = useBillingStack()
const pending = commandOn(bed, 'operate', 'pending')

describe('npm run operate -- pending', () => {
  it('has none to list where every purchase is settled', async () => {
    const { organizationId, card } = await bed.stack.organizationWithCard()
    await bed.stack.checkout(organizationId, ['base_ota'], { card })
    expect(await pending()).toMatchObject({ code: 0, output: expect.stringContaining('0 purchases are under way') })
  })

  it('lists each with its age, organization, product, what is known and where its customer is, the oldest first', async () => {
    const { stack } = bed
    const buyers = [await stack.organizationWithCard(), await stack.organizationWithCard()]
    await stack.emulator.webhooks('hold')
    const lose = async () => {
      const { organizationId = '', card = '' } = buyers.shift() ?? {}
      await stack.emulator.fault({ method: 'POST', path: '/v1/subscriptions', times: 2, kind: 'drop_after' })
      await stack.checkout(organizationId, ['base_ota'], { card })
      return organizationId
    }
    const first = await lose()
    await stack.emulator.advance(600)
    const second = await lose()
    await stack.emulator.advance(120)
    const { code, output } = await pending()
    expect(code).toBe(0)
    expect(output).toContain('2 purchases are under way')
    expect(output).toMatch(
      new RegExp(`pending: ${first} ota, purchase 1, for 1\\d minutes: the answer of Stripe was lost`),
    )
    expect(output).toMatch(new RegExp(`pending: ${second} ota, purchase 1, for [12] minutes: `))
    expect(output).toContain(
      `customer: https://dashboard.stripe.com/search?query=metadata%3Aorganization_id%3D${second}`,
    )
    expect(output.indexOf(first)).toBeLessThan(output.indexOf(second))
    // 20 minutes after it was last sent nothing of it is on its way.
    await stack.emulator.advance(1200)
    expect((await pending()).output).toMatch(new RegExp(`${first} .*: it can no longer arrive`))
  })
})
