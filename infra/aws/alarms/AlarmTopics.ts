import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Aws, RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { acknowledge } from '../constructs/acknowledge.ts'
import { keyPolicy } from '../constructs/data/keyPolicy.ts'

const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com')
/** CloudWatch acts for every account. Allow only alarms of this account. */
const fromHere = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } }

/**
 * The topics that alarms notify, one that wakes people and one for a working day: encrypted, over TLS only, written to by CloudWatch only, and
 * mailed to the stage's `alarmEmail` and `ticketEmail`.
 */
export class AlarmTopics extends Construct {
  readonly page: Topic
  readonly ticket: Topic

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    const policy = keyPolicy([])
    // CloudWatch may not use the key that AWS manages for SNS, so the topic has its own key.
    const masterKey = new Key(this, 'Key', {
      description: 'Encrypts alarms on their way',
      enableKeyRotation: true,
      policy,
      removalPolicy: RemovalPolicy.DESTROY,
    })
    policy.addStatements(
      new PolicyStatement({
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        principals: [cloudWatch],
        conditions: fromHere,
      }),
    )
    masterKey.addAlias(`${stage.name}-console-alarms`)
    const { alarmEmail, ticketEmail = alarmEmail } = stage
    this.page = this.topic('Topic', `${stage.name}-console-alarms`, masterKey, alarmEmail)
    this.ticket = this.topic('Tickets', `${stage.name}-console-tickets`, masterKey, ticketEmail)
  }

  private topic(id: string, topicName: string, masterKey: Key, email: string | undefined): Topic {
    const topic = new Topic(this, id, { topicName, masterKey })
    const resources = [topic.topicArn]
    topic.addToResourcePolicy(
      new PolicyStatement({ actions: ['sns:Publish'], resources, principals: [cloudWatch], conditions: fromHere }),
    )
    topic.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: ['sns:Publish'],
        resources,
        principals: [new AnyPrincipal()],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    )
    if (!email) return topic
    topic.addSubscription(new EmailSubscription(email))
    acknowledge(topic, {
      'Serverless-SNSRedrivePolicy': 'It mails people: an alarm that cannot be mailed stays red in CloudWatch',
    })
    return topic
  }
}
