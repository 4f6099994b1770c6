import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { checkEventOf } from '../../../infra/aws/constructs/functions/releaseCheck/checkVersion.ts'
import type { HttpEvent } from '../../../lib/http/contract.ts'
import { rawEndpoint } from '../../../lib/http/endpoint/endpoint.ts'
import { checkBeforeTraffic, isReleaseCheck } from '../../../lib/http/endpoint/releaseCheck.ts'
import { eventOf, fakeDeps, lambdaContext } from '../call.ts'

const root = join(import.meta.dirname, '..', '..', '..')
const row = { trigger: { kind: 'http', method: 'GET', path: '/api/things' } } as const
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
