import { afterAll, beforeAll, describe, expect, it } from '@jest/globals'
import { setEnvironment } from '../../../infra/local/functionEnvironment.ts'
import { invokeFunction, type LambdaEvent } from '../../../infra/local/invokeFunction.ts'
import { createResourceScope } from '../../../infra/local/resourceScope.ts'
import { samplesOf } from '../../../infra/local/samples/readSamples.ts'
import { fillSampleEvent } from '../../../infra/local/samples/sampleEvent.ts'
import { crossOriginOf, type FunctionRow, manifest } from '../../../infra/manifest.ts'
import { permissionsGranted } from '../../support/aws/iamPermissions.ts'
import { interceptAwsCalls } from '../../support/aws/interceptAwsCalls.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { startSecretsManager } from './startSecretsManager.ts'
import { stories } from './stories.ts'

const rows: readonly FunctionRow[] = manifest
const granted = rows.flatMap((row) => permissionsGranted(row).map((permission) => `${row.name} ${permission}`))

/** The same request as a page of the demo's console sends it, where such a page may; other events as they are. */
function fromPage(row: FunctionRow, event: LambdaEvent): LambdaEvent {
  return crossOriginOf(row) === 'registered' && 'rawPath' in event
    ? { ...event, headers: { ...event.headers, origin: 'https://console.example.com' } }
    : event
}

const bed = useBillingStack({
  rateLimits: true,
  secrets: { 'arn:key': 'stripeSecretKey', 'arn:webhook': 'stripeWebhookSecrets', 'arn:browser': 'knownBrowserKey' },
})
const opened = createResourceScope()
let violations: string[] = []

describe('The manifest’s permissions', () => {
  beforeAll(async () => {
    const { stack } = bed
    const { secret_key, webhook_secret, previous_webhook_secret } = stack.client.info.stripe
    const secrets = await opened.add(
      startSecretsManager({
        'arn:key': secret_key,
        'arn:webhook': `${webhook_secret},${previous_webhook_secret}`,
        'arn:browser': 'key of known browsers',
      }),
    )
    const calls = await opened.add(interceptAwsCalls(secrets.endpoint, { authorize: stack.iam.authorize }))
    // As on AWS: the functions know where a secret is, not what it says.
    opened.add(
      setEnvironment({
        AWS_ENDPOINT_URL_SECRETS_MANAGER: calls.endpoint,
        STRIPE_SECRET_KEY_ARN: 'arn:key',
        STRIPE_WEBHOOK_SECRETS_ARN: 'arn:webhook',
        KNOWN_BROWSER_KEY_ARN: 'arn:browser',
        COMPANY_SIGN_IN: 'on',
      }),
    )
    delete process.env.STRIPE_SECRET_KEY
    delete process.env.STRIPE_WEBHOOK_SECRETS
    delete process.env.KNOWN_BROWSER_KEY
    for (const row of rows) {
      for (const sample of Object.keys(samplesOf(row.name))) {
        // The next window of every rate limit.
        await stack.emulator.advance(61)
        const { event } = await fillSampleEvent(stack.client, row.name, sample)
        await invokeFunction(row, fromPage(row, event))
      }
    }
    for (const play of Object.values(stories)) {
      await stack.emulator.advance(61)
      await play(stack)
    }
    violations = stack.iam.takeViolations()
  })

  afterAll(() => opened.close())

  // [asvs 13.2.2]
  it('suffice for every sample event and every story', () => {
    expect(violations).toEqual([])
  })

  // [asvs 13.2.2]
  it('are each made use of', () => {
    const used = bed.stack.iam.used()
    expect(granted.filter((permission) => !used.has(permission))).toEqual([])
  })
})
