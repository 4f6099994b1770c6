import { styleText } from 'node:util'
import type { LocalInfo } from './info.ts'

/** What `npm start` prints: addresses, demo users and organizations, and a first call to paste. */
export function banner(info: LocalInfo, readyInMs: number): string {
  const { demo, stripe } = info
  return [
    '',
    styleText(['bold', 'green'], `Ready in ${(readyInMs / 1000).toFixed(1)} s`) +
      styleText('dim', '  (Ctrl+C stops everything)'),
    '',
    ...columns({
      API: info.base_url,
      Webhook: info.webhook_url,
      Stripe: stripe.api_base,
      DynamoDB: info.dynamodb_endpoint,
      KMS: info.kms_endpoint,
      SES: info.mail.endpoint,
      Mailbox: info.mail.page,
    }),
    '',
    ...columns({
      Owner: `${demo.owner.id}  ${demo.owner.email}`,
      'Billing admin': `${demo.billing_admin.id}  ${demo.billing_admin.email}`,
      Member: `${demo.member.id}  ${demo.member.email}`,
      Stranger: `${demo.stranger.id}  ${demo.stranger.email}`,
      Organization: demo.organization_id,
      'Owner’s 2nd org': demo.second_organization_id,
      'Stranger’s org': demo.other_organization_id,
    }),
    '',
    styleText('bold', 'Sign in as the owner and read the entitlements of the organization:'),
    firstCall(info),
    '',
    `More: ${info.base_url}/_local/info, ${styleText('bold', 'npm run demo')}, ${styleText('bold', 'npm run invoke -- users-me')}`,
    '',
  ].join('\n')
}

function columns(rows: Record<string, string>): string[] {
  return Object.entries(rows).map(([name, value]) => `  ${styleText('cyan', name.padEnd(15))} ${value}`)
}

/** Needs nothing but sh, curl and node. */
function firstCall({ base_url, demo }: LocalInfo): string {
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
