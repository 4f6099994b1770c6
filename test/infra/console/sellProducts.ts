import type { LocalClient } from '../../../infra/local/localClient.ts'

/** How the owner of the demo's organization buys, cancels and renames it. */
export async function shopperOf(client: LocalClient) {
  const { access_token: token } = await client.signIn('owner')
  const organizationId = client.info.demo.organization_id
  const query = `organization_id=${organizationId}`
  const post = (path: string, body: object) => client.send({ method: 'POST', path, token, body })
  const buy = async (testCard: string, ...product_codes: string[]) => {
    const payment_method_id = await client.addCard({ token, organizationId, testCard })
    await post(`/api/billing/checkout?${query}`, { product_codes, payment_method_id })
  }
  const cancel = (product: string) => post(`/api/billing/cancel?${query}`, { product })
  const rename = (name: string) =>
    client.send({ method: 'PATCH', path: `/api/organizations/${organizationId}`, token, body: { name } })
  return { organizationId, post, buy, cancel, rename }
}

/** Gives the demo's organization an active product, one that waits for 3-D Secure, and one that ends. Returns how its owner posts more. */
export async function sellProducts(client: LocalClient) {
  const shopper = await shopperOf(client)
  await shopper.buy('pm_card_visa', 'base_ota', 'addon_crash_reporting')
  await shopper.buy('pm_card_authenticationRequired', 'addon_monitoring')
  await shopper.cancel('crash_reporting')
  return shopper
}
