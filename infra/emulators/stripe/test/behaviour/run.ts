import { spawnSync } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import Stripe from 'stripe'
import { requireTestKey } from './requireTestKey.ts'

/** `npm run test:stripe`: the behaviour suite on the account of STRIPE_SECRET_KEY where that is set, else on the emulator. */
async function main(): Promise<number> {
  const key = process.env.STRIPE_SECRET_KEY || undefined
  if (key === undefined) {
    console.error('STRIPE_SECRET_KEY is unset: the suite runs on the emulator only')
    return jest({})
  }
  requireTestKey(key)
  await reach(key)
  // One after the other: a sandbox takes 25 requests a second.
  return jest({ STRIPE_BEHAVIOUR: 'account' }, '--runInBand', '--testTimeout=300000')
}

/** Rejects within seconds where Stripe cannot be reached or refuses the key, before any test starts. */
async function reach(key: string): Promise<void> {
  const stripe = new Stripe(key, { telemetry: false, maxNetworkRetries: 0, timeout: 5000 })
  await stripe.products.list({ limit: 1 }).catch((error: unknown) => {
    const reason = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new Error(`Stripe was asked with the key given and cannot be tested: ${reason}`)
  })
}

function jest(env: Record<string, string>, ...options: string[]): number {
  const require = createRequire(import.meta.url)
  const bin = join(dirname(require.resolve('jest/package.json')), 'bin', 'jest.js')
  const node = ['--experimental-vm-modules', bin, 'stripe/test/behaviour', ...options, ...process.argv.slice(2)]
  return spawnSync(process.execPath, node, { stdio: 'inherit', env: { ...process.env, ...env } }).status ?? 1
}

main().then(
  (status) => {
    process.exitCode = status
  },
  (error: unknown) => {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  },
)
