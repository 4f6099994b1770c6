import { styleText } from 'node:util'
import type { LocalInfo } from './info.ts'
import { STRIPE_ITSELF } from './settings.ts'

/** What `npm start` prints: where to begin, and what else is there. The page at `/` says more. */
export function banner({ base_url, webhook_url, mail, stripe, demo }: LocalInfo, readyInMs: number): string {
  const { email, password } = demo.owner
  return [
    '',
    styleText(['bold', 'green'], `Ready in ${(readyInMs / 1000).toFixed(1)} s`) +
      styleText('dim', '  (Ctrl+C stops everything; changes to functions/ and lib/ are served at once)'),
    '',
    ...columns({
      'Start here': styleText('bold', `${base_url}/`),
      Console: `${base_url}/_local/console  sign in as ${email} with ${password}`,
      Mailbox: mail.page,
      'API docs': `${base_url}/_local/docs`,
      Stripe: stripe.api_base === STRIPE_ITSELF ? stripe.api_base : `${stripe.api_base}/_emulator/`,
      Webhook: webhook_url,
    }),
    '',
  ].join('\n')
}

function columns(rows: Record<string, string>): string[] {
  return Object.entries(rows).map(([name, value]) => `  ${styleText('cyan', name.padEnd(10))} ${value}`)
}
