import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { ServiceError } from '../../../lib/core/errors.ts'
import { errorAnswers } from '../../../lib/http/answer/errorAnswers.ts'
import { rawEndpoint, tokenEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { measurements } from '../../../lib/log/logEntry.ts'
import { logMessages, type MessageName } from '../../../lib/log/logMessages.ts'
import { OAuthError } from '../../../lib/oauth/errors.ts'
import { call, fakeDeps, json } from '../call.ts'

const contract = { body: z.looseObject({}), responses: { 200: z.unknown() } }
const returning = { responses: { 200: z.unknown(), 409: z.unknown(), 500: z.unknown(), 503: z.unknown() } }

function isMessage(message: string): message is MessageName {
  return Object.hasOwn(logMessages, message)
}

/** The status that endpoints of both error bodies answer where this is thrown, and how many faults the two then count. */
async function faultsOf(thrown: unknown): Promise<{ statuses: unknown[]; faults: number }> {
  const { deps, lines } = fakeDeps()
  const fail = () => Promise.reject(thrown)
  const statuses: unknown[] = []
  for (const handler of [rawEndpoint(contract, deps, fail), tokenEndpoint(contract, deps, fail)]) {
    const { status } = await call(handler, { headers: json, body: '{"client_id":"console","client_secret":"shh"}' })
    statuses.push(status)
  }
  return { statuses, faults: faultsIn(lines) }
}

function faultsIn(lines: ReturnType<typeof fakeDeps>['lines']): number {
  const counted = lines.flatMap(({ message, fields = {} }) => (isMessage(message) ? measurements(message, fields) : []))
  return counted.filter(({ name }) => name === 'VersionFaults').length
}

describe('An answer of 5xx', () => {
  it.each(Object.entries(errorAnswers))(
    'is counted once as a fault of the version, and no other: %s',
    async (code, { status }) => {
      const { statuses, faults } = await faultsOf(new ServiceError(code))
      expect(statuses).toEqual([status, status])
      expect(faults).toBe(status >= 500 ? 2 : 0)
    },
  )

  it('is counted where anything else is thrown', async () => {
    expect(await faultsOf(new TypeError('no such thing'))).toEqual({ statuses: [500, 500], faults: 2 })
  })

  it('is none where a client is refused', async () => {
    expect(await faultsOf(new OAuthError('invalid_client'))).toMatchObject({ faults: 0 })
  })

  it.each([
    [200, 0],
    [409, 0],
    [500, 1],
    [503, 1],
  ] as const)(
    'is counted where a handler returns it, as the checkout and the webhook do: %d',
    async (status, counted) => {
      const { deps, lines } = fakeDeps()
      const handler = rawEndpoint(returning, deps, async () => ({ status, body: {} }))
      expect((await call(handler, {})).status).toBe(status)
      expect(faultsIn(lines)).toBe(counted)
    },
  )
})
