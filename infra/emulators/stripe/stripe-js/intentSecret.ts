/** The intent that a client secret is of. */
export interface IntentSecret {
  readonly kind: 'setup_intents' | 'payment_intents'
  readonly id: string
  readonly clientSecret: string
}

/** Reads `seti_..._secret_...` or `pi_..._secret_...`. Throws an IntegrationError, as Stripe.js does, on anything else. */
export function readClientSecret(clientSecret: unknown, method: string, kind?: IntentSecret['kind']): IntentSecret {
  const prefixes = { setup_intents: 'seti', payment_intents: 'pi' }
  const [, id = '', prefix] = /^((seti|pi)_[A-Za-z0-9]+)_secret_[A-Za-z0-9]+$/.exec(String(clientSecret)) ?? []
  const found = prefix === 'seti' ? 'setup_intents' : 'payment_intents'
  if (id === '' || (kind !== undefined && prefixes[kind] !== prefix)) {
    throw new IntegrationError(
      `Invalid value for ${method}: value should be a client secret of the form \${id}_secret_\${secret}.`,
    )
  }
  return { kind: found, id, clientSecret: String(clientSecret) }
}

/** A mistake in how the page uses Stripe.js. */
export class IntegrationError extends Error {
  override readonly name = 'IntegrationError'
}
