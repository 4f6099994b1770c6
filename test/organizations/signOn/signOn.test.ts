import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeEach, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { localKeys } from '../../../infra/data/demo.ts'
import { createProviderSecretCipher } from '../../../lib/adapters/kms/contextCipher.ts'
import { createKmsClient } from '../../../lib/adapters/kms/kmsClient.ts'
import { type OrganizationId, organizationIdSchema } from '../../../lib/core/ids.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { errorBody } from '../../support/errorBody.ts'
import { peopleOf } from '../members/people.ts'
import { verifiedDomain } from './verifiedDomain.ts'

const bed = useBillingStack()
const { team } = peopleOf(bed)

type Team = Awaited<ReturnType<typeof team>>

let one: Team
const sso = ({ path }: Pick<Team, 'path'> = one) => `${path}/sso`
const baseUrl = () => bed.stack.client.info.base_url
const provider = () => `${baseUrl()}/_local/provider`
const settings = (more: object = {}) => ({
  ...{ type: 'oidc', issuer: provider(), client_id: 'us', client_secret: 'sesame', ...more },
})
const save = (body: object, who = one.owner) => who.call('PUT', sso(), body)
const read = async () => (await one.owner.call('GET', sso())).body
const stored = async () => (await bed.stack.items()).find(({ pk, sk }) => pk === `ORG#${one.id}` && sk === 'SIGN_ON')
const expected = (more: object = {}) => ({
  ...{ type: 'oidc', issuer: provider(), client_id: 'us', enforced: false, trust_acr: false },
  redirect_uri: `${baseUrl()}/api/sso/callback`,
  backchannel_logout_uri: `${baseUrl()}/api/sso/backchannel-logout/${one.id}`,
  break_glass_user_id: null,
  ...more,
})
const notFound = { status: 404, body: errorBody('The organization has no single sign-on', 'sso_not_found') }
const actions = async () => {
  const { body } = await one.owner.call('GET', `${one.path}/audit-log`)
  const { entries } = z
    .object({ entries: z.array(z.looseObject({ action: z.string(), detail: z.unknown() })) })
    .parse(body)
  return entries.filter(({ action }) => action.startsWith('sso.')).map(({ action, detail }) => [action, detail])
}

/** The secret in the store, as the service would send it to the provider. */
async function storedSecret(owner: OrganizationId = one.id): Promise<string> {
  const kms = createKmsClient({ endpoint: bed.stack.kms.endpoint, region: 'us-east-1' })
  const { cipher } = z.object({ cipher: z.string() }).parse(await stored())
  return createProviderSecretCipher({ client: kms, keyId: localKeys.customer })
    .decrypt(owner, cipher)
    .finally(() => kms.destroy())
}

beforeEach(async () => {
  one = await team()
  await verifiedDomain(bed.stack, one)
})

describe('The single sign-on of an organization', () => {
  it('is saved, read and deleted by an owner, and is in the audit log', async () => {
    expect(await one.owner.call('GET', sso())).toMatchObject(notFound)
    expect(await save(settings())).toMatchObject({ status: 200, body: expected() })
    expect(await read()).toEqual(expected())
    const enforced = expected({ enforced: true, trust_acr: true, break_glass_user_id: one.owner.id })
    expect(await save(settings({ enforced: true, trust_acr: true }))).toMatchObject({ status: 200, body: enforced })
    expect(await read()).toEqual(enforced)
    expect((await one.owner.call('DELETE', sso())).status).toBe(204)
    expect(await one.owner.call('DELETE', sso())).toMatchObject(notFound)
    expect(await one.owner.call('GET', sso())).toMatchObject(notFound)
    const issuer = provider()
    const every = ['issuer', 'client_id', 'client_secret', 'enforced', 'trust_acr']
    expect(await actions()).toEqual([
      ['sso.deleted', { issuer }],
      [
        'sso.updated',
        { issuer, requirement: 'required', changed: ['client_secret', 'enforced', 'trust_acr', 'break_glass_user_id'] },
      ],
      ['sso.updated', { issuer, requirement: 'optional', changed: every }],
    ])
  })

  it('needs a verified domain', async () => {
    const other = await team()
    const refused = await other.owner.call('PUT', sso(other), settings())
    const detail = 'The organization has no verified domain; verify one first'
    expect(refused).toMatchObject({ status: 409, body: errorBody(detail, 'domain_required') })
    expect(await other.owner.call('GET', sso(other))).toMatchObject(notFound)
  })

  // [threat 93.13]
  it('keeps its secret encrypted for this organization, and never answers it', async () => {
    const saved = await save(settings({ client_secret: 'open-sesame' }))
    const log = await one.owner.call('GET', `${one.path}/audit-log`)
    for (const { text } of [saved, log, await one.owner.call('GET', sso())]) expect(text).not.toContain('open-sesame')
    expect(JSON.stringify(await bed.stack.items())).not.toContain('open-sesame')
    expect(await storedSecret()).toBe('open-sesame')
    await expect(storedSecret(organizationIdSchema.parse(randomUUID()))).rejects.toMatchObject({
      code: 'service_unavailable',
    })
  })

  // [threat 93.14]
  it('keeps the secret of an earlier save while issuer and client id stay, and asks for another else', async () => {
    const { client_secret: _, ...without } = settings()
    const missing = { detail: [{ loc: ['body', 'client_secret'], msg: 'Field required', type: 'missing' }] }
    expect(await save(without)).toMatchObject({ status: 422, body: missing })
    await save(settings())
    expect((await save({ ...without, trust_acr: true })).status).toBe(200)
    expect(await storedSecret()).toBe('sesame')
    expect(await save({ ...without, issuer: `${provider()}/other` })).toMatchObject({ status: 422, body: missing })
    expect(await save({ ...without, client_id: 'them' })).toMatchObject({ status: 422, body: missing })
    expect(await read()).toEqual(expected({ trust_acr: true }))
  })

  it('is not written again if nothing changes', async () => {
    const { client_secret: _, ...without } = settings({ enforced: true })
    await save(settings({ enforced: true }))
    const before = await stored()
    expect((await save(without)).status).toBe(200)
    expect(await stored()).toEqual(before)
    expect(await actions()).toHaveLength(1)
  })

  // [threat 93.15]
  it.each([
    ['https://169.254.169.254', 'the address of the host is not a public address'],
    ['https://10.0.0.7/oidc', 'the address of the host is not a public address'],
    ['http://10.0.0.7', 'the address of the host is not a public address'],
    ['http://login.company.invalid', 'the URL must begin with https://'],
    ['ftp://login.example.com', 'the URL must begin with https://'],
    ['https://us:sesame@login.example.com', 'the URL must not have a user name or password'],
    ['login.example.com', 'not an absolute URL'],
    ['https://login.example.com?tenant=1', 'an issuer has no query and no fragment'],
    ['https://login.example.com#tenant', 'an issuer has no query and no fragment'],
  ])('is not one at %s', async (issuer, why) => {
    const { status, body } = await save(settings({ issuer }))
    expect(status).toBe(422)
    const [problem] = z
      .object({ detail: z.array(z.object({ loc: z.array(z.string()), msg: z.string(), type: z.string() })) })
      .parse(body).detail
    expect(problem).toMatchObject({ loc: ['body', 'issuer'], type: 'value_error' })
    expect([why, problem?.msg]).toEqual([why, expect.stringContaining(why)])
    expect(await stored()).toBeUndefined()
  })

  // [threat 93.18]
  it('is hidden from strangers, and is for owners alone', async () => {
    await save(settings())
    const attempts = [
      ['GET', sso(), undefined],
      ['PUT', sso(), settings({ client_id: 'mine' })],
      ['POST', `${sso()}/test`, undefined],
      ['DELETE', sso(), undefined],
    ] as const
    for (const [method, path, body] of attempts) {
      expect(await one.stranger.call(method, path, body)).toMatchObject({
        status: 404,
        body: { code: 'organization_not_found' },
      })
      for (const who of [one.member, one.billing_admin])
        expect(await who.call(method, path, body)).toMatchObject({ status: 403, body: { code: 'forbidden' } })
    }
    expect(await read()).toEqual(expected())
  })
})

/** A server on this machine that answers every request in one way, until the end of `use`. */
async function serving(
  answer: { status: number; headers?: Record<string, string>; body?: object },
  use: (issuer: string, asked: string[]) => Promise<void>,
): Promise<void> {
  const asked: string[] = []
  const server = createServer((request, response) => {
    asked.push(request.url ?? '')
    response.writeHead(answer.status, { 'content-type': 'application/json', ...answer.headers })
    response.end(JSON.stringify(answer.body ?? {}))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = z.custom<AddressInfo>().parse(server.address())
  await use(`http://127.0.0.1:${port}`, asked).finally(() => server.close())
}

describe('The test of a single sign-on', () => {
  const test = () => one.owner.call('POST', `${sso()}/test`)

  it('finds the provider of the local stack', async () => {
    expect(await test()).toMatchObject(notFound)
    await save(settings())
    expect(await test()).toMatchObject({ status: 200, body: { ok: true, error: null } })
  })

  it.each([
    ['no answer', { status: 500 }, 'bad_answer'],
    ['other metadata', { status: 200, body: { issuer: 'https://login.example.com' } }, 'bad_answer'],
  ])('says why a sign-in would fail: %s', async (_, answer, error) => {
    await serving(answer, async (issuer) => {
      await save(settings({ issuer }))
      expect(await test()).toMatchObject({ status: 200, body: { ok: false, error } })
    })
  })

  it('says if no server answers, or the host has no address', async () => {
    let closed = ''
    await serving({ status: 200 }, async (issuer) => {
      closed = issuer
    })
    await save(settings({ issuer: closed }))
    expect(await test()).toMatchObject({ status: 200, body: { ok: false, error: 'connection_failed' } })
    expect((await save(settings({ issuer: 'https://login.company.invalid' }))).status).toBe(200)
    expect(await test()).toMatchObject({ status: 200, body: { ok: false, error: 'not_resolved' } })
  })

  // [threat 93.15]
  it('follows no redirect', async () => {
    await serving({ status: 200 }, async (secret, askedThere) => {
      await serving({ status: 302, headers: { location: `${secret}/internal` } }, async (issuer, asked) => {
        await save(settings({ issuer }))
        expect(await test()).toMatchObject({ status: 200, body: { ok: false, error: 'bad_answer' } })
        expect([asked, askedThere]).toEqual([['/.well-known/openid-configuration'], []])
      })
    })
  })
})
