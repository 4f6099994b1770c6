import { readFileSync } from 'node:fs'

/** What the programs of every language read from the file that `PURCHASE_SETTINGS` names. */
interface Settings {
  readonly base_url: string
  readonly client_id: string
  readonly client_secret: string
  readonly redirect_uri: string
  readonly code: string
  readonly organization_id: string
  readonly stripe_api_base: string
  readonly stripe_secret_key: string
}

export const settings: Settings = JSON.parse(readFileSync(process.env.PURCHASE_SETTINGS ?? '', 'utf8'))

/** Does what Stripe.js does in a browser: sets up a card with the setup intent's secret. Returns the id of the card. */
export async function setUpCard(clientSecret: string): Promise<string> {
  const [setupIntent] = clientSecret.split('_secret_')
  const response = await fetch(`${settings.stripe_api_base}/v1/setup_intents/${setupIntent}/confirm`, {
    method: 'POST',
    headers: { authorization: `Bearer ${settings.stripe_secret_key}` },
    body: new URLSearchParams({ payment_method: 'pm_card_visa' }),
  })
  const confirmed: { payment_method: string } = JSON.parse(await response.text())
  return confirmed.payment_method
}

/** The data of an answer; throws its error. */
export function dataOf<Data>(answer: { data?: Data | undefined; error?: unknown }): Data {
  if (answer.data === undefined) throw new Error(JSON.stringify(answer.error))
  return answer.data
}

export function expect(what: string, found: unknown, expected: unknown): void {
  if (JSON.stringify(found) !== JSON.stringify(expected)) {
    throw new Error(`${what}: ${JSON.stringify(found)} instead of ${JSON.stringify(expected)}`)
  }
}
