import { createBillingRecords } from '../adapters/dynamodb/billingRecords.ts'
import { createDocumentClient } from '../adapters/dynamodb/documentClient.ts'
import { createCustomerCipher } from '../adapters/kms/customerCipher.ts'
import { createKmsClient } from '../adapters/kms/kmsClient.ts'
import { ids } from '../adapters/random/ids.ts'
import { createPaymentGateway } from '../adapters/stripe/paymentGateway.ts'
import { createStripeClient } from '../adapters/stripe/stripeClient.ts'
import { createWebhookVerifier } from '../adapters/stripe/webhookVerifier.ts'
import type { BillingDeps, BillingRecords, WebhookVerifier } from '../billing/ports.ts'
import { clock } from './clock.ts'
import { environment, readEnvironment } from './environment.ts'
import { logger } from './logger.ts'
import { stripeSecretKey, stripeWebhookSecrets } from './secrets.ts'

/** The records of the table `billing`. */
export function billingRecordsFromEnvironment(): BillingRecords {
  const { AWS_REGION, BILLING_TABLE } = readEnvironment(environment.pick({ AWS_REGION: true, BILLING_TABLE: true }))
  return createBillingRecords(createDocumentClient({ region: AWS_REGION }), BILLING_TABLE)
}

/** All of billing but the key of the customer ids, for functions that never open one. */
export async function projectionDepsFromEnvironment(): Promise<Omit<BillingDeps, 'cipher'>> {
  const { STRIPE_API_BASE } = readEnvironment(environment.pick({ STRIPE_API_BASE: true }))
  const stripe = createStripeClient({ secretKey: await stripeSecretKey(), apiBase: STRIPE_API_BASE })
  return {
    records: billingRecordsFromEnvironment(),
    gateway: createPaymentGateway(stripe, clock, logger),
    clock,
    ids,
    logger,
  }
}

/** All of billing. Throws at cold start where the environment is not complete or a secret cannot be read. */
export async function billingDepsFromEnvironment(): Promise<BillingDeps> {
  const { AWS_REGION, CUSTOMER_KEY_ID } = readEnvironment(environment.pick({ AWS_REGION: true, CUSTOMER_KEY_ID: true }))
  const cipher = createCustomerCipher({ client: createKmsClient({ region: AWS_REGION }), keyId: CUSTOMER_KEY_ID })
  return { ...(await projectionDepsFromEnvironment()), cipher }
}

/** Verifies webhooks with the secrets in force. */
export async function webhookVerifierFromEnvironment(): Promise<WebhookVerifier> {
  return createWebhookVerifier(await stripeWebhookSecrets(), clock)
}
