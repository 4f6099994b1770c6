const addresses = ['issuer', 'api_base_url', 'stripe_js_url'] as const
const texts = ['client_id', 'stripe_publishable_key'] as const

/** The console's configuration, which its host serves beside `index.html`. `stripe_js_url` is the script that defines `Stripe`. */
export type ConsoleConfig = Readonly<Record<(typeof addresses)[number] | (typeof texts)[number], string>>

/**
 * The configuration in the text of `config.json`. Checked by hand, because a library for it would be a sixteenth of the first page.
 * @throws Error if a member is missing or an address is none
 */
export function parseConfig(text: string): ConsoleConfig {
  const value: unknown = JSON.parse(text)
  if (!isConfig(value)) throw new Error('config.json is incomplete')
  return value
}

function isConfig(value: unknown): value is ConsoleConfig {
  if (typeof value !== 'object' || value === null) return false
  const members = new Map<string, unknown>(Object.entries(value))
  return (
    addresses.every((name) => URL.canParse(String(members.get(name)))) &&
    texts.every((name) => typeof members.get(name) === 'string')
  )
}
