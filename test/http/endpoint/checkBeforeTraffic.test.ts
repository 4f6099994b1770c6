import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { checkEventOf, readEventOf } from '../../../infra/aws/constructs/functions/releaseCheck/checkVersion.ts'
import { NO_REVISION } from '../../../lib/core/grant.ts'
import { apiClientIdOf, organizationIdSchema } from '../../../lib/core/ids.ts'
import type { HttpDeps, HttpEvent } from '../../../lib/http/contract.ts'
import { protectedEndpoint, rawEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { checkBeforeTraffic, isReleaseCheck } from '../../../lib/http/endpoint/releaseCheck.ts'
import { eventOf, fakeDeps, identity, lambdaContext } from '../call.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const row = { trigger: { kind: 'http', method: 'GET', path: '/api/things' }, caller: 'member' } as const
const canaryId = '9c858901-8a57-4791-81fe-4c455b099bc9'
const contract = { responses: { 200: z.unknown() } }

describe('The check before traffic', () => {
  const seen = { hashes: 0, fails: false }
  checkBeforeTraffic(async () => {
    seen.hashes += 1
    if (seen.fails) throw new Error('no hash')
  })
  const { deps } = fakeDeps()
  const handler = rawEndpoint(contract, deps, async () => ({ status: 200, body: {} }))
  const statusOf = async (event: object) => (await handler(event as HttpEvent, lambdaContext)).statusCode

  it('does what the function’s parts ask for, and then answers as without credentials', async () => {
    expect(await statusOf(checkEventOf(row))).toBe(200)
    expect(seen.hashes).toBe(1)
  })

  it('answers 5xx where that fails, so that the version gets no traffic', async () => {
    seen.fails = true
    expect(await statusOf(checkEventOf(row))).toBe(500)
    seen.fails = false
  })

  it('is nothing that a caller can ask for: in a header, the query or the body', async () => {
    const before = seen.hashes
    const headers = { release_check: 'true', 'content-type': 'application/json' }
    const asked = eventOf({ headers, body: '{"release_check":true}' })
    expect(
      isReleaseCheck({
        ...asked,
        rawQueryString: 'release_check=true',
        queryStringParameters: { release_check: 'true' },
      }),
    ).toBe(false)
    expect(await statusOf(asked)).toBe(200)
    expect(seen.hashes).toBe(before)
  })

  it('reads as nobody, or as the canary, where the function has a reader, and only then', async () => {
    const canary = apiClientIdOf(organizationIdSchema.parse('5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01'), canaryId)
    const callers: unknown[] = []
    const statusFor = async (
      releaseReader: HttpDeps['releaseReader'],
      scope: 'billing:read' | 'profile',
      sent: object,
    ) => {
      const deps = { ...fakeDeps().deps, releaseReader }
      const reading = protectedEndpoint({ scope, responses: { 200: z.unknown() } }, deps, async ({ caller }) => {
        callers.push(caller)
        return { status: 200, body: {} }
      })
      return (await reading(sent as HttpEvent, lambdaContext)).statusCode
    }
    const asked = readEventOf(row, canary)
    const forged = { identity: { ...identity, isFirstParty: true } }
    const refused = [
      await statusFor(undefined, 'billing:read', asked),
      await statusFor(canary, 'billing:read', checkEventOf(row)),
      await statusFor(canary, 'billing:read', { ...checkEventOf(row), ...forged }),
      await statusFor(canary, 'billing:read', eventOf({ query: 'release_read=true', body: '{"release_read":true}' })),
      await statusFor(canary, 'billing:read', { ...asked, release_check: false }),
    ]
    expect([refused, callers]).toEqual([[401, 401, 401, 401, 401], []])
    expect(await statusFor(canary, 'billing:read', { ...asked, ...forged })).toBe(200)
    expect(await statusFor(canary, 'profile', asked)).toBe(200)
    expect(await statusFor('unknown_user', 'billing:read', asked)).toBe(200)
    const nobody = { userId: '00000000-0000-0000-0000-000000000000', securityRev: NO_REVISION }
    expect(callers).toEqual([
      expect.objectContaining({ apiClientId: canary, organizationId: '5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01' }),
      expect.objectContaining(nobody),
      expect.objectContaining(nobody),
    ])
  })

  it('makes a hash in every function that has passwords: the module that makes them for functions asks for it', () => {
    const makers = globSync('lib/**/*.ts', { cwd: root }).filter(
      (file) =>
        !file.includes('adapters') && readFileSync(join(root, file), 'utf8').includes('createArgon2idPasswords'),
    )
    expect(makers).toEqual(['lib/runtime/passwords.ts'])
    expect(readFileSync(join(root, 'lib/runtime/passwords.ts'), 'utf8')).toContain(
      'checkBeforeTraffic(() => passwords.hash(',
    )
  })
})
