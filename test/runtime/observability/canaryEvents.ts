import { randomUUID } from 'node:crypto'
import { openInvoiceOrganization } from '../../../infra/local/samples/sampleInvoices.ts'
import { rebindCustomers } from '../../../lib/billing/operate/rebindCustomers.ts'
import { releaseSlot } from '../../../lib/billing/operate/releaseSlot.ts'
import { switchGateway } from '../../../lib/billing/operate/switchGateway.ts'
import { writeOff } from '../../../lib/billing/operate/writeOff.ts'
import { organizationIdSchema } from '../../../lib/core/ids.ts'
import { inInvocation } from '../../../lib/http/endpoint/requestScope.ts'
import { throttleOrganization } from '../../../lib/organizations/admission/throttleOrganization.ts'
import { postWebhook, signatureOf, signed } from '../../billing/events/webhookRequests.ts'
import { customerOf, subscribedOrganization, subscriptionOf } from '../../billing/gatewayView.ts'
import { withLostKey } from '../../infra/operate/loseKey.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import type { Ground } from './canaryFailures.ts'

const DAY = 86_400

const error = (message: string) => ({ type: 'ValidationException', message })

/** Webhooks that are forged, unknown, not recorded, and of a subscription without an owner. */
export async function forgeWebhooks({ stack, canaries, token }: Ground): Promise<void> {
  const { emulator } = stack
  const payload = JSON.stringify({ type: canaries.make('event'), data: canaries.make('event') })
  await postWebhook(stack, payload, [
    signatureOf(payload, { secret: canaries.make('forged secret', 'whsec_'), timestamp: 1 }),
  ])
  await postWebhook(stack, payload, [`t=1,v1=${canaries.make('signature')}`])
  await postWebhook(stack, canaries.make('no JSON'), [])
  const charge = JSON.stringify({
    ...{ id: 'evt_1', object: 'event', type: 'charge.succeeded', created: await emulator.now() },
    data: { object: { id: canaries.make('charge', 'ch_'), customer: canaries.make('customer', 'cus_') } },
  })
  await postWebhook(stack, charge, [await signed(stack, charge)])

  const { organizationId, card } = await stack.organizationWithCard()
  await emulator.webhooks('hold')
  await stack.checkoutWith(token, organizationId, ['base_ota'], { card: canaries.add('card', card) })
  stack.dynamoDb.fail({ operation: 'BatchGetItem', times: 1, error: error(canaries.make('words of DynamoDB')) })
  await emulator.flush()
  stack.dynamoDb.reset()
  await emulator.allowSeveralLive()
  const { id: first, metadata, items } = await subscriptionOf(stack, organizationId)
  const customer = canaries.add('customer', await customerOf(stack, organizationId))
  const price = items.data[0]?.price.id ?? ''
  await stack.cancel(organizationId, { product: 'ota', at_period_end: false })
  await stack.checkoutWith(token, organizationId, ['base_ota'], { card })
  await emulator.flush()
  // As a late first purchase, whose number no other has and which is removed, and as a copy of the second one, which is reported.
  await stack.stripe.subscriptions.update(first, { metadata: { n: '' } })
  await emulator.flush()
  const terms = { customer, default_payment_method: card, items: [{ price }] }
  await stack.stripe.subscriptions.create({ ...terms, metadata })
  await stack.stripe.subscriptions.create({ ...terms, metadata: { ...metadata, n: '2' } })
  await emulator.flush()

  const gone = await stack.organizationWithCard()
  await stack.stripe.customers.del(canaries.add('customer', await customerOf(stack, gone.organizationId)))
  await stack.checkoutWith(token, gone.organizationId, ['base_ota'])
  await emulator.webhooks('deliver')
  await emulator.flush()
}

/** A purchase that is left to the sweeper, which fails and then settles it; one that is canceled at the gateway only. */
export async function runSchedules({ stack, canaries, token }: Ground): Promise<void> {
  const { emulator } = stack
  const owing = organizationIdSchema.parse(await openInvoiceOrganization(stack.client, 1))
  await runSchedule('billing-sweep')
  const { organizationId } = await stack.organizationWithCard()
  await emulator.webhooks('hold')
  await stack.checkoutWith(token, organizationId, ['addon_monitoring'])
  await emulator.fault({ method: 'POST', path: '/v1/subscriptions', kind: 'drop_after', times: 2 })
  await stack.checkoutWith(token, organizationId, ['base_ota'])
  await emulator.advance(300)
  stack.dynamoDb.fail({ operation: 'BatchGetItem', times: 1, error: error(canaries.make('words of DynamoDB')) })
  await runSchedule('billing-sweep')
  stack.dynamoDb.reset()
  await runSchedule('billing-sweep')
  for (const { id } of await stack.subscriptions(organizationId)) await stack.stripe.subscriptions.cancel(id)
  await emulator.fault({ method: 'GET', path: '/v1/events', kind: 'status', status: 500, times: 2 })
  await runSchedule('billing-reconcile')
  await emulator.clearFaults()
  await runSchedule('billing-reconcile')
  await emulator.advance(2 * DAY)
  await runSchedule('billing-reconcile', { begin: true })
  const { organizationId: stuck } = await subscribedOrganization(stack)
  for (const { id } of await stack.subscriptions(stuck)) await stack.stripe.subscriptions.cancel(id)
  const { rebindDepsFromEnvironment, reconcileDepsFromEnvironment } = await import('../../../lib/runtime/billing.ts')
  const { throttleDepsFromEnvironment } = await import('../../../lib/runtime/operators.ts')
  const customer = canaries.add('customer', await customerOf(stack, stuck))
  await withLostKey(stack, (lost) => lost.customer(stuck, customer))
  const name = { organizationId: organizationIdSchema.parse(stuck), product: 'ota' } as const
  const deps = await reconcileDepsFromEnvironment()
  const unbought = organizationIdSchema.parse(await stack.client.newOrganization())
  await inInvocation({ awsRequestId: randomUUID() }, async () => {
    await rebindCustomers(await rebindDepsFromEnvironment(), name.organizationId, { dryRun: false })
    await releaseSlot(deps, name)
    await switchGateway(deps, { organizationId: unbought, gateway: 'invoice', daysUntilDue: 30 })
    await writeOff(deps, { organizationId: owing })
    const limit = { requestsPerMinute: 1, forSeconds: 60 }
    await throttleOrganization(await throttleDepsFromEnvironment(), unbought, limit, { dryRun: false })
  })
  await mailAboutMoney({ stack, canaries })
  await emulator.webhooks('deliver')
  await emulator.flush()
}

/** Mails that are sent, and mails of a run that was cut off, which are dropped. */
async function mailAboutMoney({ stack, canaries }: Pick<Ground, 'stack' | 'canaries'>): Promise<void> {
  const words = () => error(canaries.make('words of DynamoDB'))
  stack.dynamoDb.fail({ operation: 'DeleteItem', times: 1, error: words() })
  await runSchedule('billing-mails')
  stack.dynamoDb.reset()
  await stack.emulator.advance(660)
  await runSchedule('billing-mails')
}
