import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import * as z from 'zod'
import { productAt } from '../data/catalog.ts'
import { findStack, type LocalClient, localClient } from '../local/localClient.ts'
import { runProgram } from '../runProgram.ts'
import { cleanEnvironment, startClone } from './startClone.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))
const sold = productAt(1)
const entitlements = z.object({ entitlements: z.array(z.object({ product: z.string(), active: z.boolean() })) })

async function run(command: string, args: readonly string[], cwd: string): Promise<void> {
  const child = spawn(command, args, { cwd, env: cleanEnvironment, stdio: ['ignore', 'ignore', 'inherit'] })
  const [code] = await once(child, 'close')
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} ended with ${code}`)
}

/** Signs in, sets a card up, buys, and waits until the entitlement is active. */
async function sell(client: LocalClient): Promise<void> {
  const { access_token: token } = await client.signIn('owner')
  const organizationId = client.info.demo.organization_id
  const query = `organization_id=${organizationId}`
  const payment_method_id = await client.addCard({ token, organizationId, testCard: 'pm_card_visa' })
  const body = { product_codes: [sold.planCode], payment_method_id }
  const bought = await client.send({ method: 'POST', path: `/api/billing/checkout?${query}`, token, body })
  if (bought.status !== 201) throw new Error(`checkout answered ${bought.status}: ${JSON.stringify(bought.body)}`)
  for (;;) {
    const answer = await client.send({ method: 'GET', path: `/api/billing/entitlements?${query}`, token })
    if (entitlements.parse(answer.body).entitlements.some(({ product, active }) => product === sold.product && active))
      return
    await delay(50)
  }
}

/**
 * `npm run bench:first-sale [-- --limit SECONDS]`: clones this repository's last commit, installs it, starts it and buys a product, and
 * prints the seconds of each step. npm takes packages from its cache if they are there. The exit code is 1 when the total exceeds the limit.
 */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { limit: { type: 'string', default: '60' } } })
  const folder = await mkdtemp(join(tmpdir(), 'first-sale-'))
  const clone = join(folder, 'clone')
  const began = performance.now()
  let last = began
  const seconds = (from: number) => ((performance.now() - from) / 1000).toFixed(1).padStart(6)
  const done = (step: string) => {
    console.log(`${seconds(last)} s  ${step}`)
    last = performance.now()
  }
  let stack: Awaited<ReturnType<typeof startClone>> | undefined
  try {
    await run('git', ['clone', '--quiet', root, clone], folder)
    done('git clone')
    await run('npm', ['ci', '--no-audit', '--no-fund'], clone)
    done('npm ci')
    stack = await startClone(clone)
    done('npm start')
    const info = await findStack(stack.baseUrl)
    if (info === undefined) throw new Error(`no stack answers at ${stack.baseUrl}`)
    await sell(localClient(info))
    done('first sale')
    console.log(`${seconds(began)} s  in all, of ${values.limit}`)
    return performance.now() - began <= Number(values.limit) * 1000 ? 0 : 1
  } finally {
    // Let the webhooks of the sale arrive first.
    await delay(1000)
    await stack?.stop()
    await rm(folder, { recursive: true })
  }
}

runProgram(main)
