import { describe, expect, it } from '@jest/globals'
import { renewedOrganization } from '../../gatewayView.ts'
import { useCleanStack } from '../../useCleanStack.ts'
import { listedOn } from '../listedSubscriptions.ts'

const bed = useCleanStack()

const { inShort } = listedOn(bed)

describe('GET /api/billing/subscriptions', () => {
  it.each([
    ['wants 3-D Secure', 'pm_card_authenticationRequired', 'confirm_payment'],
    ['is declined', 'pm_card_chargeCustomerFail', 'update_payment_method'],
  ])('has the action of a renewal whose card %s, until it is paid', async (_, testCard, action) => {
    const { stack } = bed
    const { organizationId, subscriptionId } = await renewedOrganization(stack, testCard)
    expect(await inShort(organizationId)).toEqual([`ota past_due ${action}`])
    const good = await stack.addCard(organizationId, 'pm_card_visa')
    const { latest_invoice: invoice } = await stack.stripe.subscriptions.retrieve(subscriptionId)
    if (typeof invoice !== 'string') throw new Error('A renewal has an invoice')
    await stack.stripe.invoices.pay(invoice, { payment_method: good })
    await stack.emulator.flush()
    expect(await inShort(organizationId)).toEqual(['ota active none'])
  })
})
