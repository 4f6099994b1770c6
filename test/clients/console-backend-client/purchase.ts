import { createConsoleClient, type Entitlement, memoryStorage, storedTokens } from 'console-backend-client'

/** What the purchase needs of the stack. */
interface Settings {
  readonly base_url: string
  readonly access_token: string
  readonly organization_id: string
  /** Does what Stripe.js does in a browser: sets a card up with the secret. Resolves with the card's id. */
  readonly setUpCard: (clientSecret: string) => Promise<string>
}

/** Buys two products as a program that has nothing but the package. Returns what is active then. */
export async function buy({
  base_url,
  access_token,
  organization_id,
  setUpCard,
}: Settings): Promise<Entitlement['product'][]> {
  const tokenStore = storedTokens(memoryStorage(), 'tokens')
  await tokenStore.set({ accessToken: access_token, expiresAt: Date.now() + 600_000 })
  const client = createConsoleClient({
    baseUrl: base_url,
    clientId: 'any',
    redirectUri: 'http://127.0.0.1/',
    tokenStore,
  })
  const query = { organization_id }
  const { client_secret } = await client.createSetupIntent({ query })
  const body = { product_codes: ['base_ota', 'addon_remote_ssh'], payment_method_id: await setUpCard(client_secret) }
  for (const line of await client.createCheckout({ query, body })) {
    if (!line.ok) throw new Error(`${line.error}: ${line.detail}`)
  }
  // @ts-expect-error: the organization is required.
  await client.listEntitlements({}).catch(() => undefined)
  const { entitlements } = await client.listEntitlements({ query })
  return entitlements.filter(({ active }) => active).map(({ product }) => product)
}
