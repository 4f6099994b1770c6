import { readFile } from 'node:fs/promises'

/** Sample events of a function, files of `events/`. */
export interface Requests {
  /** Answered without a call to any neighbour: with 400, 401, 404 or 422. */
  readonly refused?: string
  /** Answered after all the work there is: store, keys, gateway. */
  readonly served?: string
}

/** What each function of the manifest is asked first, by the benchmark and by the test of its bundle. */
export const requests: Readonly<Record<string, Requests>> = {
  'oauth-token': { refused: 'oauth-token.missing-field.json', served: 'oauth-token.authorization-code.json' },
  'users-me': { refused: 'users-me.no-token.json', served: 'users-me.signed-in.json' },
  'users-me-update': { refused: 'users-me-update.no-token.json', served: 'users-me-update.username.json' },
  'billing-checkout': { refused: 'billing-checkout.no-token.json', served: 'billing-checkout.new-card.json' },
  'billing-setup-intent': {
    refused: 'billing-setup-intent.no-token.json',
    served: 'billing-setup-intent.new-customer.json',
  },
  'billing-cancel': { refused: 'billing-cancel.no-token.json', served: 'billing-cancel.at-period-end.json' },
  'billing-entitlements': { refused: 'billing-entitlements.no-token.json', served: 'billing-entitlements.member.json' },
  'stripe-webhook': { refused: 'stripe-webhook.no-signature.json', served: 'stripe-webhook.invoice-paid.json' },
  'billing-sweep': { served: 'billing-sweep.every-minute.json' },
  'billing-reconcile': { served: 'billing-reconcile.every-day.json' },
  'unmatched-route': { refused: 'unmatched-route.unknown-path.json' },
}

/** A sample event as it stands in `events/`, its placeholders unfilled. */
export async function readEvent(file: string): Promise<unknown> {
  return JSON.parse(await readFile(new URL(`../../events/${file}`, import.meta.url), 'utf8'))
}
