import { describe, expect, it } from '@jest/globals'
import { challengeOf } from '../../../lib/oauth/token/pkce.ts'
import { hostedCommands } from '../../support/hostedCommands.ts'
import { openLocalStack } from '../../support/openLocalStack.ts'
import { VERIFIER } from '../token/tokenRequests.ts'

const redirectUri = 'https://tools.example.com/callback'

const stack = await openLocalStack()

const hosted = hostedCommands()

/** Runs `npm run clients -- ...`. */
const run = (args: string[]) => hosted({ script: 'operate/clients.ts', args: [...args, '--base', stack.info.base_url] })

const value = (output: string, label: string) => new RegExp(`^${label} +(\\S+)`, 'm').exec(output)?.[1] ?? ''

async function post(path: string, body: string, type: string): Promise<Response> {
  return fetch(`${stack.info.base_url}${path}`, { method: 'POST', headers: { 'content-type': type }, body })
}

/** Whether the token endpoint authenticates the client: it then refuses the code, not the client. */
async function isKnown(client_id: string, client_secret: string): Promise<boolean> {
  const fields = { client_id, client_secret, grant_type: 'authorization_code', code: 'none' }
  const response = await post('/api/oauth/token', `${new URLSearchParams(fields)}`, 'application/x-www-form-urlencoded')
  return JSON.stringify(await response.json()).includes('invalid_grant')
}

describe('npm run clients', () => {
  it('creates a client, rotates its secret without a gap, disables and enables it, and changes its redirect URIs', async () => {
    const created = await run(['create', 'Tools', '--redirect-uri', redirectUri, '--id', 'tools'])
    expect(created.code).toBe(0)
    const first = value(created.output, 'client_secret')
    expect(await isKnown('tools', first)).toBe(true)

    const second = value((await run(['rotate-secret', 'tools'])).output, 'client_secret')
    expect(await Promise.all([isKnown('tools', first), isKnown('tools', second)])).toEqual([true, true])
    expect((await run(['retire-secret', 'tools'])).output).not.toContain(second)
    expect(await Promise.all([isKnown('tools', first), isKnown('tools', second)])).toEqual([false, true])

    await run(['disable', 'tools'])
    expect(await isKnown('tools', second)).toBe(false)
    await run(['enable', 'tools'])
    expect(await isKnown('tools', second)).toBe(true)

    const more = 'https://tools.example.com/more'
    expect((await run(['add-redirect-uri', 'tools', more])).output).toContain(more)
    expect((await run(['remove-redirect-uri', 'tools', redirectUri])).output).not.toContain(redirectUri)
    const listed = await run(['list'])
    expect(listed.output).toContain('6 clients')
    expect(listed.output).not.toContain(second)
    expect(listed.output).not.toContain('client_secret')
  })

  it('says with a new client that it needs PKCE, and which libraries need a setting for it', async () => {
    const { output } = await run(['create', 'Portal', '--redirect-uri', redirectUri, '--id', 'portal'])
    expect(output).toMatch(/PKCE .* is asked of every client/)
    for (const library of ['next-auth', 'Authlib', 'golang.org/x/oauth2']) expect(output).toContain(library)
    expect((await run(['create', 'Metrics', '--introspect', '--id', 'metrics'])).output).not.toContain('PKCE')
  })

  it('creates a public client of devices without a redirect URI, which cannot get one', async () => {
    const { output } = await run(['create', 'Tool', '--public', '--device', '--id', 'tool'])
    expect(output).toContain('public, devices')
    expect(output).not.toContain('client_secret')
    const form = 'application/x-www-form-urlencoded'
    expect((await post('/api/oauth/device_authorization', 'client_id=tool', form)).status).toBe(200)
    expect((await run(['add-redirect-uri', 'tool', redirectUri])).output).toContain('without redirect URIs')
  })

  // [asvs 10.4.7]
  it.each([
    [['create', 'Bad', '--redirect-uri', 'javascript:alert(1)'], 'is neither https'],
    [['create', 'Bad', '--redirect-uri', 'http://192.168.0.1/'], 'only 127.0.0.1, [::1] and localhost'],
    [['rotate-secret', 'demo-native'], 'has no secret'],
    [['disable', 'unknown'], 'there is no client unknown'],
    [['disable'], 'npm run clients -- <command>'],
    [['explode', 'tools'], 'npm run clients -- <command>'],
  ])('exits with 1 and the reason for %j', async (args, why) => {
    const { code, output } = await run(args)
    expect(code).toBe(1)
    expect(output).toContain(why)
    expect(output).not.toContain('    at ')
  })

  it('creates a first-party client, as its usage says', async () => {
    const uri = 'http://localhost:5173/callback'
    const { output } = await run(['create', 'Own', '--id', 'own', '--public', '--first-party', '--redirect-uri', uri])
    expect(value(output, 'type')).toBe('public,')
    expect(output).toMatch(/^type +public, first party$/m)
    expect((await run(['--help'])).output).toContain('--first-party: your own, whose users see no consent page')
  })

  it('creates a resource server, which may introspect the tokens of every client, and no public one', async () => {
    const { output } = await run(['create', 'Reports', '--id', 'reports', '--introspect'])
    expect(output).toMatch(/^type +confidential, introspects every token$/m)
    expect(value(output, 'client_secret')).toMatch(/^[\w-]{43}$/)
    expect(output).not.toContain('redirect_uris')
    expect((await run(['create', 'Page', '--introspect', '--public'])).code).toBe(1)
    await run(['disable', 'reports'])
  })
})

describe('npm run clients -- create NAME --service', () => {
  const create = ['create', 'Products', '--service']
  const entitlements = () => `/api/billing/entitlements?organization_id=${stack.info.demo.other_organization_id}`

  async function issue(client_id: string, client_secret: string): Promise<{ access_token: string; scope: string }> {
    const fields = { client_id, client_secret, grant_type: 'client_credentials' }
    const type = 'application/x-www-form-urlencoded'
    return (await (await post('/api/oauth/token', `${new URLSearchParams(fields)}`, type)).json()) as never
  }

  async function read(token: string): Promise<number> {
    const response = await fetch(`${stack.info.base_url}${entitlements()}`, {
      headers: { authorization: `Bearer ${token}` },
    })
    return response.status
  }

  // [threat 115.4]
  it('creates a client whose tokens end when it is disabled, and stay dead when it is enabled again', async () => {
    const { code, output } = await run([...create, '--scope', 'entitlements:read', '--scope', 'members:read'])
    expect([code, output]).toEqual([0, expect.stringMatching(/^type +confidential, service$/m)])
    expect(output).toMatch(/^scopes +entitlements:read members:read$/m)
    expect(output).not.toContain('PKCE')
    const [id, secret] = [value(output, 'client_id'), value(output, 'client_secret')]
    expect(id).toMatch(/^service_[0-9a-f]{32}$/)
    const { access_token: token, scope } = await issue(id, secret)
    expect([scope, await read(token)]).toEqual(['entitlements:read members:read', 200])

    await run(['disable', id])
    expect(await read(token)).toBe(401)
    expect(await issue(id, secret)).toMatchObject({ error: 'invalid_client' })
    await run(['enable', id])
    expect(await read(token)).toBe(401)
    expect(await read((await issue(id, secret)).access_token)).toBe(200)
    await run(['disable', id])
  })

  it.each([
    [[...create], 'a service client has a scope'],
    [[...create, '--scope', 'billing:write'], 'scopes that read organizations only'],
    [[...create, '--scope', 'profile'], 'scopes that read organizations only'],
    [[...create, '--scope', 'billing:read', '--public'], '--service goes with --scope alone'],
    [[...create, '--scope', 'billing:read', '--id', 'mine'], '--service goes with --scope alone'],
    [[...create, '--scope', 'billing:read', '--introspect'], '--service goes with --scope alone'],
    [[...create, '--scope', 'billing:read', '--first-party'], '--service goes with --scope alone'],
    [[...create, '--scope', 'billing:read', '--redirect-uri', redirectUri], '--service goes with --scope alone'],
    [['add-redirect-uri', 'service_7c41d9e25b3f4a0896d1e0f2a3b4c5d6', redirectUri], 'it has no users'],
    [['create', 'X', '--redirect-uri', redirectUri, '--id', `service_${'0'.repeat(32)}`], 'ids of this form'],
  ])('exits with 1 and the reason for %j', async (args, why) => {
    expect(await run(args)).toMatchObject({ code: 1, output: expect.stringContaining(why) })
  })
})

/** The tokens of the demo's public client, by a code with PKCE at a loopback port, without a secret. */
async function tokensOfPublicClient(): Promise<Record<string, string>> {
  const { public_client_id: client_id, owner } = stack.info.demo
  const redirect_uri = 'http://127.0.0.1:51234/callback'
  const codeRequest = { user_id: owner.id, client_id, redirect_uri, code_challenge: challengeOf(VERIFIER) }
  const issued: unknown = await (
    await post('/_local/authorization-codes', JSON.stringify(codeRequest), 'application/json')
  ).json()
  const grant = { client_id, grant_type: 'authorization_code', redirect_uri, code_verifier: VERIFIER }
  const response = await post('/api/oauth/token', JSON.stringify({ ...grant, ...Object(issued) }), 'application/json')
  return Object(await response.json())
}

describe('The demo’s public client', () => {
  it('is named by /_local/info, and exchanges a code with PKCE at any loopback port, without a secret', async () => {
    expect(await tokensOfPublicClient()).toMatchObject({ token_type: 'Bearer', refresh_token: expect.any(String) })
  })

  it('has no token that works once it is disabled, not even when it is enabled again', async () => {
    const { public_client_id: client_id } = stack.info.demo
    const { access_token, refresh_token = '' } = await tokensOfPublicClient()
    const me = async () => {
      const headers = { authorization: `Bearer ${access_token}` }
      return (await fetch(`${stack.info.base_url}/api/users/me`, { headers })).status
    }
    const refresh = async () => {
      const body = JSON.stringify({ client_id, client_secret: '', refresh_token, grant_type: 'refresh_token' })
      return Object(await (await post('/api/oauth/token', body, 'application/json')).json()).error
    }
    expect(await me()).toBe(200)
    const disabled = await run(['disable', client_id])
    expect(disabled.output).toMatch(/^ended grants +[1-9]/m)
    expect([await me(), await refresh()]).toEqual([401, 'invalid_client'])
    await run(['enable', client_id])
    expect([await me(), await refresh()]).toEqual([401, 'invalid_grant'])
    expect(await tokensOfPublicClient()).toMatchObject({ token_type: 'Bearer' })
  })
})
