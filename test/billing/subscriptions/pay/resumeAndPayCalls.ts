import type { BillingStack } from '../../../support/billingStack.ts'

/** Resumes and pays as a buyer. */
export function resumeAndPayOn(bed: { readonly stack: BillingStack }) {
  const resume = (organizationId: string, product = 'ota') =>
    bed.stack.post(`/api/billing/subscriptions/${product}/resume`, organizationId)

  const pay = (organizationId: string, body: object = {}, product = 'ota') =>
    bed.stack.post(`/api/billing/subscriptions/${product}/pay`, organizationId, body)

  /** An organization whose purchase of `ota` waits for 3-D Secure, and the secret of its payment. */
  async function incomplete() {
    const { organizationId, card } = await bed.stack.organizationWithCard('pm_card_authenticationRequired')
    const { lines } = await bed.stack.checkout(organizationId, ['base_ota'], { card })
    const secret = lines[0]?.client?.client_secret ?? ''
    return { organizationId, card, secret, paymentId: secret.replace(/_secret_.*/, '') }
  }

  return { resume, pay, incomplete }
}
