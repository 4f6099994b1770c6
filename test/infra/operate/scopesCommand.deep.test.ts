import { describe, expect, it } from '@jest/globals'
import { demoServiceClient } from '../../../infra/data/demo.ts'
import { apiClient, serviceToken } from '../../../infra/local/samples/sampleApiClient.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { commandOn } from '../../support/hostedCommands.ts'
import { partner, registerPartner } from '../../support/partner.ts'

const bed = useBillingStack()
const operate = commandOn(bed, 'operate')

describe('npm run operate -- scopes', () => {
  it('changes what the next token of an API client may do, in an entry of its organization, and nothing in a dry run', async () => {
    const { client } = bed.stack
    const organizationId = await client.newOrganization()
    const { client_id, client_secret } = await apiClient(client, organizationId, ['billing:read'])
    const grant = async () => {
      const body = { client_id, client_secret, grant_type: 'client_credentials' }
      return (await client.send({ method: 'POST', path: '/api/oauth/token', body })).body
    }
    const actions = async () =>
      (await bed.stack.auditEntries(organizationId))
        .filter(({ action }) => action.startsWith('api_client.'))
        .map(({ action, actor }) => [action, actor.type])
    const [created] = await actions()

    const dry = await operate('scopes', client_id, 'members:read,billing:read', '--dry-run')
    expect(dry).toMatchObject({ code: 0, output: expect.stringContaining('would have members:read billing:read in') })
    expect(await grant()).toMatchObject({ scope: 'billing:read' })

    const done = await operate('scopes', client_id, 'members:read,billing:read')
    expect(done).toMatchObject({ code: 0, output: expect.stringContaining('in place of billing:read') })
    expect(await grant()).toMatchObject({ scope: 'billing:read members:read' })
    const again = await operate('scopes', client_id, 'billing:read,members:read')
    expect(again).toMatchObject({ code: 0, output: expect.stringContaining('nothing to do') })
    expect(await actions()).toEqual([created, ['api_client.scopes_changed', 'operator']])
    expect(await operate('scopes', client_id, 'openid')).toMatchObject({
      code: 2,
      output: expect.stringContaining('the scopes of an API client are'),
    })
  })

  it('changes what another client may ask its users for', async () => {
    const { client } = bed.stack
    const { base_url, demo } = client.info
    await registerPartner(client.info)
    const ask = async (scope: string) => {
      const request = {
        client_id: partner.client_id,
        redirect_uri: demo.redirect_uri,
        response_type: 'code',
        code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
        code_challenge_method: 'S256',
        prompt: 'none',
        scope,
      }
      const answer = await fetch(`${base_url}/api/oauth/authorize?${new URLSearchParams(request)}`, {
        redirect: 'manual',
      })
      return new URL(answer.headers.get('location') ?? '').searchParams.get('error')
    }
    expect(await ask('members:read')).toBe('login_required')
    expect(await operate('scopes', partner.client_id, 'openid,profile')).toMatchObject({ code: 0 })
    expect(await ask('members:read')).toBe('invalid_scope')
    expect(await ask('openid profile')).toBe('login_required')
  })

  it.each([
    [['unknown', 'openid'], 2, 'there is no such client'],
    [['unknown', 'everything'], 2, 'a scope does not exist'],
    [['unknown', ','], 1, 'SCOPES is a list'],
  ])('exits with what is wrong with %j', async (args, code, output) => {
    expect(await operate('scopes', ...args)).toEqual({ code, output: expect.stringContaining(output) })
  })

  it('gives a service client reading scopes only', async () => {
    const { clientId } = demoServiceClient
    const refused = 'scopes refused: a service client is granted scopes that read organizations only'
    expect(await operate('scopes', clientId, 'billing:read,billing:write')).toMatchObject({
      code: 2,
      output: expect.stringContaining(refused),
    })
    expect((await operate('scopes', clientId, 'entitlements:read')).code).toBe(0)
    await expect(serviceToken(bed.stack.client, 'billing:read')).rejects.toThrow()
    expect(await serviceToken(bed.stack.client, 'entitlements:read')).toContain('.')
  })
})
