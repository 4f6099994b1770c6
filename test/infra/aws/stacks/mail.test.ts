import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const anything = z.record(z.string(), z.unknown())
const { data } = synthesizeStage(stageWith({}, 'prod'))

describe('Mail', () => {
  const [set] = data.resources('AWS::SES::ConfigurationSet', anything)
  const [identity] = data.resources('AWS::SES::EmailIdentity', anything)

  it('is from the stage’s domain, which is kept, with bounces mailed to no address', () => {
    expect(identity).toMatchObject({
      DeletionPolicy: 'RetainExceptOnCreate',
      Properties: {
        EmailIdentity: 'console.example.com',
        ConfigurationSetAttributes: { ConfigurationSetName: { Ref: set?.id } },
        FeedbackAttributes: { EmailForwardingEnabled: false },
      },
    })
  })

  it('is signed with keys that DNS names, which are outputs', () => {
    const outputs = [1, 2, 3].map((index) => data.output(`MailDns${index}`))
    expect(outputs).toEqual(
      [1, 2, 3].map((n) => `${identity?.id}.DkimDNSTokenName${n} CNAME ${identity?.id}.DkimDNSTokenValue${n}`),
    )
  })

  // [asvs 12.3.1]
  it('goes over TLS only, to no address that bounced or complained, and is not tracked', () => {
    expect(set?.Properties).toEqual({
      Name: 'prod-console',
      DeliveryOptions: { TlsPolicy: 'REQUIRE' },
      ReputationOptions: { ReputationMetricsEnabled: true },
      SuppressionOptions: { SuppressedReasons: ['BOUNCE', 'COMPLAINT'] },
      VdmOptions: { DashboardOptions: { EngagementMetrics: 'DISABLED' } },
    })
  })

  it('is counted where it fails; opens and clicks are not', () => {
    const destination = z.object({ MatchingEventTypes: z.array(z.string()), CloudWatchDestination: anything })
    const found = data.resources(
      'AWS::SES::ConfigurationSetEventDestination',
      z.object({ ConfigurationSetName: reference, EventDestination: destination }),
    )
    expect(found.map(({ Properties }) => [Properties.ConfigurationSetName, events(Properties)])).toEqual([
      [set?.id, ['send', 'bounce', 'complaint', 'reject']],
    ])
  })
})

function events({ EventDestination }: { EventDestination: { MatchingEventTypes: string[] } }): string[] {
  return EventDestination.MatchingEventTypes
}
