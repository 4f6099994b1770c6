import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { LocalClient } from '../../local/localClient.ts'

/**
 * Writes down what the programs of `test/clients` need to buy a product: a code of the demo's owner, which they exchange for a token, and a
 * new organization. Returns the environment that names the file.
 */
export async function preparePurchase(client: LocalClient, directory: string): Promise<{ PURCHASE_SETTINGS: string }> {
  const { base_url, demo, stripe } = client.info
  const file = join(directory, 'purchase.json')
  const settings = {
    base_url,
    client_id: demo.client_id,
    client_secret: demo.client_secret,
    redirect_uri: demo.redirect_uri,
    code: await client.authorizationCode('owner'),
    organization_id: await client.newOrganization(),
    stripe_api_base: stripe.api_base,
    stripe_secret_key: stripe.secret_key,
  }
  await writeFile(file, JSON.stringify(settings))
  return { PURCHASE_SETTINGS: file }
}
