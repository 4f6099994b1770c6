import { runInNewContext } from 'node:vm'
import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { useApiClients } from '../../../organizations/apiClients/useApiClients.ts'
import { fullStage } from '../stacks/synthesized.ts'
import { synthesizeObservedStage } from './observedStage.ts'

const { observability } = synthesizeObservedStage()
const canary = z.looseObject({
  Code: z.object({ Script: z.string() }),
  RunConfig: z.object({ EnvironmentVariables: z.record(z.string(), z.unknown()) }),
})
const [found] = observability.resources('AWS::Synthetics::Canary', canary)
const exported = z.object({ handler: z.custom<() => Promise<void>>((value) => typeof value === 'function') })

const { api, open } = useApiClients()
let ofClient: Readonly<Record<string, string>>
let secret: string

beforeAll(async () => {
  const { organizationId, client } = await open(['entitlements:read'])
  secret = client.client_secret
  ofClient = { API_URL: api().info.base_url, CLIENT_ID: client.client_id, ORGANIZATION_ID: organizationId }
})

/** Runs the script of the template against the service, with Secrets Manager played. */
async function runCanary(env: Readonly<Record<string, string>>, stored = secret): Promise<void> {
  const asked: unknown[] = []
  class GetSecretValueCommand {
    constructor(input: unknown) {
      asked.push(input)
    }
  }
  class SecretsManagerClient {
    send = async () => ({ SecretString: `${stored}\n` })
  }
  const require = (name: string) => {
    expect(name).toBe('@aws-sdk/client-secrets-manager')
    return { GetSecretValueCommand, SecretsManagerClient }
  }
  const exports = {}
  const globals = { exports, require, fetch, process: { env }, AbortSignal, URLSearchParams }
  runInNewContext(found?.Properties.Code.Script ?? '', globals)
  await exported.parse(exports).handler()
  if (env.CLIENT_ID) expect(asked).toEqual([{ SecretId: env.CLIENT_SECRET_ARN }])
}

describe('The canary', () => {
  it('gets a token as an API client and reads what its organization may use', async () => {
    await runCanary({ ...ofClient, CLIENT_SECRET_ARN: 'arn:of:the:secret' })
  })

  it('fails if its client is refused a token', async () => {
    await expect(runCanary(ofClient, 'another')).rejects.toThrow('/api/oauth/token answered 401')
  })

  it('fails if its token opens nothing', async () => {
    const of = { ...ofClient, ORGANIZATION_ID: '00000000-0000-4000-8000-000000000000' }
    await expect(runCanary(of)).rejects.toThrow('/api/billing/entitlements answered')
  })

  it('calls as a stranger without a client', async () => {
    await runCanary({ API_URL: api().info.base_url })
  })

  it('gets client, organization and the secret’s ARN from the stage, and the secret from nowhere else', () => {
    const { EnvironmentVariables: variables } = found?.Properties.RunConfig ?? {}
    const [stored] = observability.resources('AWS::SecretsManager::Secret', z.looseObject({}))
    expect(variables).toEqual({
      API_URL: 'https://api.example.com',
      CLIENT_ID: fullStage.canaryClient?.clientId,
      ORGANIZATION_ID: '5f0c1a52-4b0e-4a4e-9d54-2f6f8f6f0a01',
      CLIENT_SECRET_ARN: { Ref: stored?.id },
    })
    expect(stored?.Properties).toEqual({ Description: 'The secret of the canary’s API client' })
  })
})
