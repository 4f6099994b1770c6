import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { KMSClient } from '@aws-sdk/client-kms'
import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { SESv2Client } from '@aws-sdk/client-sesv2'
import { describe, expect, it } from '@jest/globals'
import { endpointsOf } from '../../../../infra/aws/bundle/lambdaEndpoint.ts'
import { hostNames } from '../../../../infra/aws/bundle/leanModules.ts'
import { requireKnownRegion } from '../../../../infra/aws/stacks/synthesizeStage.ts'

const region = 'eu-central-1'
const clients = {
  dynamodb: new DynamoDBClient({ region }),
  kms: new KMSClient({ region }),
  'secrets-manager': new SecretsManagerClient({ region }),
  sesv2: new SESv2Client({ region }),
}
const regions = ['us-east-1', 'eu-central-1', 'ap-southeast-2', 'mx-central-1', 'us-gov-west-1', 'cn-north-1']
const cases = regions.flatMap((name) =>
  (['dynamodb', 'kms', 'secrets-manager', 'sesv2'] as const).map((client) => [client, name] as const),
)

describe('The endpoint of a client in a bundle', () => {
  it.each(cases)('is the SDK’s own: %s in %s', (client, Region) => {
    const parameters = { Region, UseFIPS: false, UseDualStack: false }
    const own = clients[client].config.endpointProvider(parameters)
    const lean = endpointsOf(hostNames[client])(parameters)
    expect({ ...lean, url: lean.url.href }).toEqual({ properties: {}, headers: {}, ...own, url: own.url.href })
  })

  it('is the one that the client was given', () => {
    const parameters = { Region: region, Endpoint: 'http://127.0.0.1:8000', UseFIPS: false, UseDualStack: false }
    expect(endpointsOf('dynamodb')(parameters).url).toEqual(clients.dynamodb.config.endpointProvider(parameters).url)
  })

  it.each([{ Region: region, UseFIPS: true }, { Region: region, UseDualStack: true }, { Region: 'us-iso-east-1' }, {}])(
    'is none where it is left out: %j',
    (parameters) => {
      expect(() => endpointsOf('dynamodb')(parameters)).toThrow(/left out of the bundles/)
    },
  )
})

describe('The domain of AWS', () => {
  it('is put into an address by these endpoints only: it differs between partitions', () => {
    const root = join(import.meta.dirname, '..', '..', '..', '..')
    const written = globSync(['lib/**/*.ts', 'functions/**/*.ts', 'infra/aws/**/*.ts'], { cwd: root }).filter((file) =>
      /\$\{[^}]*\}\.amazonaws\.com/.test(readFileSync(join(root, file), 'utf8')),
    )
    expect(written).toEqual([])
  })
})

describe('A stage in a region whose endpoints have another domain', () => {
  it.each(['eusc-de-east-1', 'us-iso-east-1', 'us-isob-east-1'])('is not synthesized: %s', (name) => {
    expect(() => requireKnownRegion({ name: 'prod', region: name })).toThrow('whose endpoints the bundles do not know')
  })

  it.each([...regions, undefined])('is the exception: %s', (name) => {
    expect(() => requireKnownRegion({ name: 'prod', region: name })).not.toThrow()
  })
})
