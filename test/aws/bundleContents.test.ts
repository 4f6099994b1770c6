import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { entryPoints } from '../../infra/aws/bundle/entryPoints.ts'
import { bundleContents, unitOf } from '../../infra/bench/bundleContents.ts'
import { type BundledFunctions, bundleFunctions } from '../../infra/bench/bundleFunctions.ts'
import { type FunctionRow, manifest } from '../../infra/manifest.ts'

/** Kilobytes (1000 bytes) of each minified bundle: as measured, and what it may have, about a tenth more. */
const budgets: Readonly<Record<string, { measured: number; budget: number }>> = {
  'oauth-token': { measured: 398, budget: 440 },
  'oauth-authorize': { measured: 373, budget: 415 },
  'oauth-authorize-submit': { measured: 380, budget: 420 },
  'oauth-revoke': { measured: 379, budget: 420 },
  'oauth-introspect': { measured: 379, budget: 420 },
  'oauth-logout': { measured: 362, budget: 400 },
  'oauth-logout-submit': { measured: 364, budget: 405 },
  'oauth-metadata': { measured: 143, budget: 160 },
  'openid-configuration': { measured: 144, budget: 160 },
  'oauth-jwks': { measured: 143, budget: 160 },
  'users-me': { measured: 371, budget: 410 },
  'users-me-update': { measured: 372, budget: 410 },
  'auth-register': { measured: 880, budget: 970 },
  'auth-verify-request': { measured: 449, budget: 495 },
  'auth-verify': { measured: 356, budget: 395 },
  'auth-password-forgot': { measured: 449, budget: 495 },
  'auth-password-reset': { measured: 879, budget: 970 },
  'auth-password-change': { measured: 897, budget: 990 },
  'users-me-email-change': { measured: 466, budget: 515 },
  'users-me-email-confirm': { measured: 356, budget: 395 },
  'account-link': { measured: 358, budget: 395 },
  'account-link-submit': { measured: 896, budget: 990 },
  'billing-checkout': { measured: 700, budget: 775 },
  'billing-setup-intent': { measured: 683, budget: 755 },
  'billing-cancel': { measured: 655, budget: 725 },
  'billing-entitlements': { measured: 383, budget: 425 },
  'stripe-webhook': { measured: 628, budget: 695 },
  'billing-sweep': { measured: 653, budget: 720 },
  'billing-reconcile': { measured: 623, budget: 690 },
  organizations: { measured: 380, budget: 420 },
  'organizations-create': { measured: 381, budget: 420 },
  'organizations-rename': { measured: 382, budget: 425 },
  'organizations-members': { measured: 382, budget: 425 },
  'organizations-invite': { measured: 471, budget: 520 },
  'organizations-invitation-revoke': { measured: 382, budget: 425 },
  'organizations-accept': { measured: 381, budget: 420 },
  'organizations-member-role': { measured: 382, budget: 425 },
  'organizations-member-remove': { measured: 382, budget: 425 },
  'organizations-leave': { measured: 382, budget: 425 },
  'organizations-transfer': { measured: 382, budget: 425 },
  openapi: { measured: 263, budget: 290 },
  'unmatched-route': { measured: 146, budget: 165 },
  'token-public-key': { measured: 249, budget: 275 },
}

const rows: readonly FunctionRow[] = manifest
const names = Object.keys(entryPoints)
const sourceMap = z.object({ sources: z.array(z.string()) })

let bundles: BundledFunctions

beforeAll(async () => {
  bundles = await bundleFunctions()
})

afterAll(() => bundles.close())

/** The packages in a function's bundle, and our own folders. */
function unitsOf(name: string): Set<string> {
  return new Set([...bundleContents(bundles.metafile, name).files.keys()].map(unitOf))
}

describe('The size of a bundle', () => {
  it('has a budget, for every function that is deployed', () => {
    expect(Object.keys(budgets).toSorted()).toEqual(names.toSorted())
  })

  it.each(Object.entries(budgets))('is within its budget: %s', (name, { budget }) => {
    expect(bundleContents(bundles.metafile, name).bytes / 1000).toBeLessThanOrEqual(budget)
  })
})

describe.each(names)('The bundle of %s', (name) => {
  it('imports nothing when it runs, so that no import of node:http loads undici', () => {
    expect(bundleContents(bundles.metafile, name).imports).toEqual([])
  })

  it('has no tracer and no credential provider but its own', () => {
    const unwanted = /tracer|xray|credential-provider|token-providers|nested-clients|client-(sso|sts|cognito)/
    expect([...unitsOf(name)].filter((unit) => unwanted.test(unit))).toEqual([])
  })

  it('has no event streams, for which esbuild would keep all of the SDK’s core', () => {
    const files = [...bundleContents(bundles.metafile, name).files.keys()]
    expect(files.filter((file) => /node_modules\/.*event-?streams?\//.test(file))).toEqual([])
  })

  it('has one language of zod, as a namespace import leaves it', () => {
    const languages = [...bundleContents(bundles.metafile, name).files.keys()].filter((file) =>
      /zod.*locales/.test(file),
    )
    expect(languages).toEqual([expect.stringMatching(/locales\/en\.js$/)])
  })

  it('has its source map beside it, and does not name it', async () => {
    const directory = bundles.codeDirectory(name)
    expect((await readdir(directory)).toSorted()).toEqual(['handler.mjs', 'handler.mjs.map'])
    const { sources } = sourceMap.parse(JSON.parse(await readFile(join(directory, 'handler.mjs.map'), 'utf8')))
    expect(sources).toContainEqual(expect.stringMatching(/handler\.ts$/))
    expect(await readFile(join(directory, 'handler.mjs'), 'utf8')).not.toContain('sourceMappingURL')
  })
})

describe('A bundle', () => {
  const clients: readonly (readonly [string, (row: FunctionRow) => boolean])[] = [
    ['stripe', ({ secrets }) => secrets.includes('stripeSecretKey')],
    ['@aws-sdk/client-secrets-manager', ({ secrets }) => secrets.length > 0],
    ['@aws-sdk/client-kms', ({ kms }) => Object.keys(kms).length > 0],
    ['@aws-sdk/client-sesv2', ({ mail }) => mail === true],
    ['@aws-sdk/client-dynamodb', ({ tables }) => Object.keys(tables).length > 0],
  ]

  it.each(clients)('has %s where its row of the manifest says so, and nowhere else', (client, needs) => {
    const having = rows.filter(({ name }) => unitsOf(name).has(client)).map(({ name }) => name)
    expect(having).toEqual(rows.filter(needs).map(({ name }) => name))
  })
})
