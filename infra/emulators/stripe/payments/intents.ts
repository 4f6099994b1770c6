import type Stripe from 'stripe'
import * as z from 'zod'
import * as p from '../params/params.ts'
import { requireRow } from '../resources/requireRow.ts'
import type { Context } from '../state/context.ts'
import { exclusiveParams, invalidRequest, StripeFault } from '../wire/errors.ts'
import type { Wire } from '../wire/wire.ts'
import { obtainMethod } from './paymentMethods.ts'

const automaticShape = { enabled: p.flag(), allow_redirects: p.word(['always', 'never']).optional() }

/** Parameters that open a payment as well as a setup. */
export const intentShape = {
  allowed_payment_method_types: z.array(p.text()).min(1).optional(),
  automatic_payment_methods: p.nested(automaticShape).optional(),
  confirm: p.flag().optional(),
  customer: p.text().optional(),
  description: p.text(1000).optional(),
  metadata: p.metadata().optional(),
  payment_method: p.text().optional(),
  return_url: p.text().optional(),
  use_stripe_sdk: p.flag().optional(),
}

/** Parameters of payment and setup intents that this API version removed. */
export const removedTypes = {
  payment_method_types: {
    since: '2026-09-30',
    now: 'allowed_payment_method_types',
    code: 'payment_method_types_no_longer_supported',
    message: 'payment_method_types is no longer supported. Use allowed_payment_method_types instead.',
  },
}

/** How the buyer left the 3-D Secure step. */
export const authenticateParams = p.paramsFor<{ outcome: string }>()({ outcome: p.word(['succeed', 'fail']) })

/** What a new intent is for. `method` is the card to use. */
export interface IntentTerms {
  customer: string | null
  method: string | null
  description: string | null
  metadata: Record<string, string>
  allowed: string[] | null
  automatic: Wire<Stripe.PaymentIntent>['automatic_payment_methods']
}

/** The terms of an intent that the emulator opens by itself. */
export const plainTerms = { description: null, metadata: {}, allowed: null, automatic: null }

/** The checked terms of an intent. Throws a 400 for an unknown customer or card, and if the types are named in both ways. */
export function intentTerms(context: Context, sent: z.output<z.ZodObject<typeof intentShape>>): IntentTerms {
  if (sent.customer !== undefined) requireRow(context, 'customers', sent.customer, 'customer')
  const { allowed_payment_method_types: allowed = null, automatic_payment_methods: automatic } = sent
  if (allowed && automatic) throw exclusiveParams('allowed_payment_method_types', 'automatic_payment_methods')
  return {
    customer: sent.customer ?? null,
    method: sent.payment_method === undefined ? null : obtainMethod(context, sent.payment_method, 'payment_method').id,
    description: sent.description ?? null,
    metadata: p.mergeMetadata({}, sent.metadata),
    allowed,
    automatic: automatic ? { ...automatic, allow_redirects: automatic.allow_redirects ?? 'always' } : null,
  }
}

type Intent = Wire<Stripe.PaymentIntent> | Wire<Stripe.SetupIntent>

const names = { payment_intent: 'PaymentIntent', setup_intent: 'SetupIntent' }

/** Throws a 400 if a confirmation token comes without a confirmation, or with a payment method. */
export function requireConfirm(sent: {
  confirm?: boolean | undefined
  confirmation_token?: string | undefined
  payment_method?: string | undefined
}): void {
  if (sent.confirmation_token === undefined) return
  if (sent.payment_method !== undefined) throw exclusiveParams('confirmation_token', 'payment_method')
  if (sent.confirm) return
  throw invalidRequest('confirmation_token can only be used with confirm=true.', undefined, 'confirmation_token')
}

/** Whether an intent can still be confirmed or canceled. */
export function isUnconfirmed({ status }: Intent): boolean {
  return ['requires_payment_method', 'requires_confirmation', 'requires_action'].includes(status)
}

/** 400 `payment_intent_unexpected_state`, or the same of a setup. */
export function unexpectedState(intent: Intent, verb: string): StripeFault {
  const { object, status } = intent
  return new StripeFault(400, {
    type: 'invalid_request_error',
    code: `${object}_unexpected_state`,
    message: `You cannot ${verb} this ${names[object]} because it has a status of ${status}.`,
    [object]: intent,
  })
}

/** The card to confirm an intent with. Throws a 400 if it belongs to another customer. */
export function confirmedMethod(context: Context, intent: Intent, id: string): Wire<Stripe.PaymentMethod> {
  const method = obtainMethod(context, id, 'payment_method')
  if (method.customer === null || method.customer === intent.customer) return method
  const message = 'The provided PaymentMethod belongs to a different Customer.'
  throw invalidRequest(message, 'payment_method_unexpected_state', 'payment_method')
}

/** The failed 3-D Secure step of an intent. */
export function authenticationFailure({ object }: Intent): { code: string; message: string } {
  return {
    code: `${object}_authentication_failure`,
    message:
      'We are unable to authenticate your payment method. Please choose a different payment method and try again.',
  }
}

/** `next_action` of an intent that waits for Stripe.js to run 3-D Secure. */
export function authenticationStep(id: string) {
  const url = `https://hooks.stripe.com/3d_secure_2/hosted?intent=${id}`
  return { type: 'use_stripe_sdk', use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url, source: '' } }
}
