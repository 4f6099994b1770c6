import { readFileSync } from 'node:fs'
import { describe, expect, it } from '@jest/globals'
import { createStripeCore } from '../../core/stripeCore.ts'
import { findRoute, routes } from '../../wire/routes.ts'
import { operationsOf, operationsText } from './operationsOf.ts'

const secretKey = 'sk_test_paths'
const specPath = process.env.STRIPE_SPEC || undefined

const covered = new Set(routes.map(({ method, path }) => `${method} ${path.replaceAll(/:\w+/g, '*')}`))

/** How the emulator answers each operation of a file: `covered` by the endpoint of that name, `501`, `404`, or what is wrong. */
async function walk(spec: unknown): Promise<Record<string, string>> {
  const core = createStripeCore({ now: () => 1_800_000_000, random: Math.random, secretKeys: [secretKey] })
  const found: Record<string, string> = {}
  for (const { method, template } of operationsOf(spec)) {
    const path = template.replaceAll('*', 'x_1')
    const headers = { authorization: `Bearer ${secretKey}` }
    const answer = await core.handle({ method, path, headers, body: '' })
    const { error }: { error?: { code?: string; message?: string } } = JSON.parse(answer?.body ?? '{}')
    const name = `${method} ${template}`
    const endpoint = () => findRoute(method, path).route.path.replaceAll(/:\w+/g, '*')
    if (error?.message?.startsWith('Unrecognized request URL')) found[name] = '404'
    else if (error?.code === 'unsupported_operation' && !covered.has(name)) found[name] = '501'
    else found[name] = endpoint() === template ? 'covered' : `taken for ${endpoint()}`
  }
  return found
}

describe('Every path of a file of Stripe’s', () => {
  it('is covered by its own endpoint, 501 where only the emulator has none, 404 where Stripe has none', async () => {
    const paths = {
      '/v1/customers': { get: {}, put: {} },
      '/v1/customers/{customer}': { delete: {} },
      '/v1/credit_notes/preview': { get: {} },
      '/v1/shops/{shop}': { get: {} },
    }
    expect(await walk({ paths })).toEqual({
      'GET /v1/customers': 'covered',
      'PUT /v1/customers': '404',
      'DELETE /v1/customers/*': 'covered',
      'GET /v1/credit_notes/preview': '501',
      'GET /v1/shops/*': '404',
    })
  })

  const given = specPath === undefined ? it.skip : it
  given('is covered by its own endpoint, 501 or 404: skipped where STRIPE_SPEC names no file', async () => {
    const found = await walk(JSON.parse(readFileSync(specPath ?? '', 'utf8')))
    const known = ['covered', '501', '404']
    expect(Object.entries(found).filter(([, answer]) => !known.includes(answer))).toEqual([])
    const coveredHere = Object.entries(found).filter(([, answer]) => answer === 'covered')
    expect(coveredHere.length).toBeGreaterThan(80)
  })
})

describe('The list of Stripe’s operations', () => {
  it('is as its program writes it, and names each operation that the emulator covers', () => {
    const stored = readFileSync(new URL('../../wire/operations.json', import.meta.url), 'utf8')
    const listed: Record<string, string> = JSON.parse(stored)
    const paths = Object.fromEntries(
      Object.entries(listed)
        .toReversed()
        .map(([path, methods]) => [
          path.replaceAll('*', '{id}'),
          Object.fromEntries(
            methods
              .toLowerCase()
              .split(' ')
              .map((method) => [method, {}]),
          ),
        ]),
    )
    expect(operationsText({ paths })).toBe(stored)
    const names = operationsOf({ paths }).map(({ method, template }) => `${method} ${template}`)
    const own = routes.filter((row) => row.onlyStripeJs || row.unlisted).map(({ method, path }) => `${method} ${path}`)
    expect([...covered].filter((name) => !names.includes(name))).toEqual(
      own.map((name) => name.replaceAll(/:\w+/g, '*')).sort(),
    )
  })
})
