import { createBillingRecords } from '../adapters/dynamodb/billingStore.ts'
import { createCustomerBindings } from '../adapters/dynamodb/customerBindingStore.ts'
import { createMailBudgets } from '../adapters/dynamodb/mailBudgetStore.ts'
import { createMoneyMails } from '../adapters/dynamodb/moneyMailStore.ts'
import { createEndpointNotices } from '../adapters/dynamodb/noticeStore.ts'
import { createPassRecords } from '../adapters/dynamodb/passStore.ts'
import { createSlotListing } from '../adapters/dynamodb/slotStore.ts'
import { createCustomerCipher } from '../adapters/kms/contextCipher.ts'
import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { ids } from '../adapters/random/ids.ts'
import { createGatewayListing } from '../adapters/stripe/gatewayListing.ts'
import { createInvoiceGateway } from '../adapters/stripe/invoiceGateway.ts'
import { createPaymentGateway } from '../adapters/stripe/paymentGateway.ts'
import { createStripeClient } from '../adapters/stripe/stripeClient.ts'
import { createWebhookVerifier } from '../adapters/stripe/webhookVerifier.ts'
import type { SweepDeps } from '../billing/checkout/sweep.ts'
import { eraseCustomer } from '../billing/customer/eraseCustomer.ts'
import { listOwedInvoices } from '../billing/customer/owedInvoices.ts'
import { BillingError } from '../billing/errors.ts'
import type { Events, Gateways } from '../billing/gateway/gatewayPorts.ts'
import type { SendMoneyMailsDeps } from '../billing/mails/sendMoneyMails.ts'
import type { BackfillDeps } from '../billing/operate/backfillCustomers.ts'
import type { RebindDeps } from '../billing/operate/rebindCustomers.ts'
import type { ReconcileDeps } from '../billing/reconcile/passContext.ts'
import type { BillingDeps, BillingRecords, BuyingDeps } from '../billing/slot/ports.ts'
import { reasonOf } from '../core/errors.ts'
import type { MailNoticesDeps } from '../events/notices/mailNotices.ts'
import type { EraseOrganizationsDeps } from '../organizations/deletion/eraseOrganizations.ts'
import type { Debts } from '../organizations/ports.ts'
import { usersFromEnvironment } from './accounts.ts'
import { clock } from './clock.ts'
import {
  accountsTable,
  auditLogTable,
  billingTable,
  callersTable,
  documents,
  eventsTable,
  requireEventsTable,
} from './dynamodb.ts'
import { environment } from './environment.ts'
import { logger } from './logger.ts'
import { mailerFromEnvironment } from './mailer.ts'
import { admittingRecords } from './memberAdmission.ts'
import { organizationDeletionDepsFromEnvironment, organizationDepsFromEnvironment } from './organizations.ts'
import { stripeSecretKey, stripeWebhookSecrets } from './secrets.ts'
import { brandingFromEnvironment } from './settings.ts'

/** The records of the table `billing`, with their changes in `auditLog` and `events`, and the callers of `accounts`. */
export function billingRecordsFromEnvironment(): BillingRecords {
  const tables = {
    accounts: callersTable(),
    billing: billingTable(),
    auditLog: auditLogTable(),
    events: eventsTable(),
  }
  return admittingRecords(createBillingRecords(documents, tables))
}

/** Every gateway, for functions that do not read the billing records. */
export async function gatewaysFromEnvironment(): Promise<Gateways> {
  return gatewaysOn(await stripeClient())
}

/** For functions that decrypt no customer id: without the customer key. */
export async function projectionDepsFromEnvironment(): Promise<Omit<BillingDeps, 'cipher'>> {
  return { records: billingRecordsFromEnvironment(), gateways: await gatewaysFromEnvironment(), clock, ids, logger }
}

export async function billingDepsFromEnvironment(): Promise<BillingDeps> {
  const { AWS_REGION, CUSTOMER_KEY_ID } = environment
  const cipher = createCustomerCipher({
    client: createKmsClient({ region: AWS_REGION }),
    keyId: CUSTOMER_KEY_ID,
  })
  return { ...(await projectionDepsFromEnvironment()), cipher }
}

/** For functions that may have to create a customer. */
export async function buyingDepsFromEnvironment(): Promise<BuyingDeps> {
  return { ...(await billingDepsFromEnvironment()), users: usersFromEnvironment() }
}

/** Adds the index of pending purchases. */
export async function sweepDepsFromEnvironment(): Promise<SweepDeps> {
  return { ...(await billingDepsFromEnvironment()), slots: createSlotListing(documents, billingTable()) }
}

/** For sending the mails about money. */
export async function moneyMailDepsFromEnvironment(): Promise<SendMoneyMailsDeps & MailNoticesDeps> {
  const { MONEY_MAILS } = environment
  const { organizations, profiles } = organizationDepsFromEnvironment()
  return {
    ...(await billingDepsFromEnvironment()),
    organizations,
    profiles,
    mails: createMoneyMails(documents, billingTable()),
    mailBudgets: createMailBudgets(documents, accountsTable()),
    mailer: mailerFromEnvironment(),
    branding: brandingFromEnvironment(),
    setting: MONEY_MAILS === 'off' ? 'off' : 'on',
    notices: createEndpointNotices(documents, requireEventsTable()),
  }
}

/** Adds the gateway's lists, and the position of the pass through them. */
export async function reconcileDepsFromEnvironment(): Promise<ReconcileDeps> {
  const passes = createPassRecords(documents, billingTable())
  return {
    ...(await billingDepsFromEnvironment()),
    passes,
    listing: createGatewayListing(await stripeClient(), logger),
  }
}

/** Returns a function that makes a verifier with the webhook's current secrets. It throws BillingError `event_not_recorded` if they cannot be read. */
export async function webhookVerifierFromEnvironment(): Promise<() => Promise<Events>> {
  const secrets = stripeWebhookSecrets()
  return async () => {
    const current = await secrets.current().catch((cause: unknown) => {
      throw new BillingError('event_not_recorded', { message: reasonOf(cause), cause })
    })
    return createWebhookVerifier(
      current.split(',').map((secret) => secret.trim()),
      clock,
    )
  }
}

async function stripeClient(): Promise<ReturnType<typeof createStripeClient>> {
  const { STRIPE_API_BASE } = environment
  return createStripeClient({ key: stripeSecretKey(), apiBase: STRIPE_API_BASE })
}

function gatewaysOn(stripe: ReturnType<typeof createStripeClient>): Gateways {
  const { AUTOMATIC_TAX } = environment
  const settings = { automaticTax: AUTOMATIC_TAX === 'on' }
  const card = createPaymentGateway(stripe, clock, logger, settings)
  return { card, invoice: createInvoiceGateway(stripe, clock, logger, settings, card) }
}

export async function backfillDepsFromEnvironment(): Promise<BackfillDeps> {
  const { records, gateways, listing, clock } = await reconcileDepsFromEnvironment()
  const { organizations, users } = organizationDepsFromEnvironment()
  await clock.sync()
  return { records, gateways, listing, clock, organizations, users }
}

/** For binding customers anew after the loss of the customer key. */
export async function rebindDepsFromEnvironment(): Promise<RebindDeps> {
  const { records, cipher, listing, logger, clock } = await reconcileDepsFromEnvironment()
  await clock.sync()
  return { records, cipher, listing, logger, bindings: createCustomerBindings(documents, billingTable()) }
}

/** For refusing to delete organizations that owe invoices. */
export async function debtsFromEnvironment(): Promise<Debts> {
  const billing = await billingDepsFromEnvironment()
  return {
    listOwed: async (organizationId) => (await listOwedInvoices(billing, organizationId)).map(({ id }) => id),
  }
}

/** For erasing organizations together with their customers at the gateway. */
export async function eraseOrganizationsDepsFromEnvironment(): Promise<EraseOrganizationsDeps> {
  const billing = await reconcileDepsFromEnvironment()
  return {
    ...organizationDeletionDepsFromEnvironment(),
    customers: { eraseCustomer: (organizationId) => eraseCustomer(billing, organizationId) },
  }
}
