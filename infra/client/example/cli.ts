import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import {
  type ConsoleClient,
  createConsoleClient,
  isApiError,
  memoryStorage,
  SignInRefusedError,
  storedTokens,
} from '../src/index.ts'

const usage = `npm run cli -- [PLAN ...] [--organization ID] [--base URL] [--client ID] [--yes]

Signs in without a browser of its own, lists the subscriptions of your organizations, and buys the plans that you name, such as base_ota.
  --organization   the organization that buys; your first by default
  --base           of the API; http://localhost:3000 by default, where npm start listens
  --client         a client registered by: npm run clients -- create NAME --public --device; the local stack has demo-cli
  --yes            buys without asking`

const { values: options, positionals: plans } = parseArgs({
  allowPositionals: true,
  options: {
    organization: { type: 'string' },
    base: { type: 'string', default: 'http://localhost:3000' },
    client: { type: 'string', default: 'demo-cli' },
    yes: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

const client = createConsoleClient({
  baseUrl: options.base,
  clientId: options.client,
  // Nothing is kept: a program that you use daily would keep its tokens in the keychain of the system.
  tokenStore: storedTokens(memoryStorage(), 'tokens'),
})

/** 1290 in EUR: 12.90 EUR, in the language of this machine. */
function price(amount: number, currency: string): string {
  const format = new Intl.NumberFormat(undefined, { style: 'currency', currency })
  return format.format(amount / 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2))
}

async function signIn(): Promise<void> {
  await client.deviceSignIn({
    scope: 'openid profile email billing:read billing:write',
    onCode: ({ userCode, verificationUri }) => console.log(`Open ${verificationUri} and enter ${userCode}`),
  })
  const { email } = await client.getCurrentUser()
  console.log(`Signed in as ${email}`)
}

type Organization = Awaited<ReturnType<ConsoleClient['listOrganizations']>>['organizations'][number]

async function list({ id: organization_id, name }: Organization): Promise<void> {
  console.log(`\n${name} (${organization_id})`)
  const { subscriptions } = await client.listSubscriptions({ query: { organization_id } })
  if (subscriptions.length === 0) console.log('  no subscriptions')
  for (const { product, status, current_period_end } of subscriptions)
    console.log(`  ${product.padEnd(24)} ${status.padEnd(12)} ${current_period_end ?? ''}`)
}

async function buy(organization_id: string): Promise<void> {
  const query = { organization_id }
  const { lines, subtotal, total, currency } = await client.previewCheckout({ query, body: { product_codes: plans } })
  console.log()
  for (const line of lines)
    console.log(`  ${line.product_code.padEnd(24)} ${line.ok ? price(line.total, currency) : line.detail}`)
  console.log(`  ${'total'.padEnd(24)} ${price(total, currency)}`)
  if (!options.yes && !(await confirmed())) return
  // The price that the user has seen: if it has changed since, nothing is bought.
  const body = { product_codes: plans, expected_subtotal: subtotal, currency }
  for (const line of await client.createCheckout({ query, body }))
    console.log(
      line.ok
        ? `Bought ${line.product_code}: ${line.subscription.status}`
        : `Not bought: ${line.product_code}: ${line.detail}`,
    )
}

async function confirmed(): Promise<boolean> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout })
  const answer = await terminal.question('Buy? [y/N] ')
  terminal.close()
  return answer.trim().toLowerCase() === 'y'
}

async function main(): Promise<void> {
  await signIn()
  const { organizations } = await client.listOrganizations()
  for (const organization of organizations) await list(organization)
  const buyer = options.organization ?? organizations[0]?.id
  if (plans.length > 0 && buyer !== undefined) await buy(buyer)
}

try {
  if (options.help) console.log(usage)
  else await main()
} catch (error) {
  if (!isApiError(error) && !(error instanceof SignInRefusedError)) throw error
  console.error(error.message)
  process.exitCode = 1
}
