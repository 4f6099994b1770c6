import type { LocalInfo } from '../info.ts'

/** Commands that sign in as the demo's owner and read the entitlements of the organization; they need sh, curl and node. */
export function firstCall({ base_url, demo }: LocalInfo): string {
  const member = (name: string) => `node -pe 'JSON.parse(fs.readFileSync(0)).${name}'`
  const exchange = JSON.stringify({
    client_id: demo.client_id,
    client_secret: demo.client_secret,
    grant_type: 'authorization_code',
  }).slice(0, -1)
  return [
    `CODE=$(curl -s ${base_url}/_local/authorization-codes -d '{"user_id":"${demo.owner.id}"}' | ${member('code')})`,
    `TOKEN=$(curl -s ${base_url}/api/oauth/token -H 'content-type: application/json' \\`,
    `  -d '${exchange},"code":"'$CODE'"}' | ${member('access_token')})`,
    `curl -s "${base_url}/api/billing/entitlements?organization_id=${demo.organization_id}" -H "authorization: Bearer $TOKEN"`,
  ].join('\n')
}
