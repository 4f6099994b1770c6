import { execFile, spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from '@jest/globals'

const bench = join(import.meta.dirname, '..', '..', '..', 'infra', 'bench', 'cold.ts')

/** Between them they use every part of a bundle that is loaded late: lists and writes of DynamoDB, KMS, Stripe, SES and Secrets Manager. */
const names = [
  'organizations',
  'auth-factor-reset',
  'oauth-token',
  'auth-verify-request',
  'billing-checkout',
  'stripe-webhook',
]

const hasOpenssl = spawnSync('openssl', ['version']).error === undefined
if (!hasOpenssl)
  console.log('Skipped, for there is no openssl, which the bench certifies its secrets with: served by bundles')
const rule = hasOpenssl ? it : it.skip

describe('The bundle of a function', () => {
  rule('serves its sample event with what it loads late, as the bench of cold starts wants it', async () => {
    const { stdout } = await promisify(execFile)(process.execPath, [bench, '--only', names.join(), '--runs', '1'])
    const served = [...stdout.matchAll(/`([\w-]+)` \d+\/\d+/g)].map(([, name = '']) => name)
    expect(served.toSorted()).toEqual(names.toSorted())
  })
})
