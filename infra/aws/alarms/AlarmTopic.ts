import { AnyPrincipal, Effect, PolicyStatement, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Topic } from 'aws-cdk-lib/aws-sns'
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions'
import { Aws, RemovalPolicy } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { acknowledge } from '../constructs/acknowledge.ts'
import { keyPolicy } from '../constructs/data/keyPolicy.ts'

/** The topic that alarms notify: encrypted, over TLS only, written to by CloudWatch only, and mailed to the stage's `alarmEmail`. */
export class AlarmTopic extends Construct {
  readonly topic: Topic

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
    // CloudWatch acts for every account. Allow only alarms of this account.
    const fromHere = { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } }
    const cloudWatch = new ServicePrincipal('cloudwatch.amazonaws.com')
    policy.addStatements(
      new PolicyStatement({
        actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
        resources: ['*'],
        principals: [cloudWatch],
        conditions: fromHere,
      }),
    )
    masterKey.addAlias(`${stage.name}-console-alarms`)
    this.topic = new Topic(this, 'Topic', { topicName: `${stage.name}-console-alarms`, masterKey })
    const resources = [this.topic.topicArn]
    this.topic.addToResourcePolicy(
      new PolicyStatement({ actions: ['sns:Publish'], resources, principals: [cloudWatch], conditions: fromHere }),
    )
    this.topic.addToResourcePolicy(
      new PolicyStatement({
        effect: Effect.DENY,
        actions: ['sns:Publish'],
        resources,
        principals: [new AnyPrincipal()],
        conditions: { Bool: { 'aws:SecureTransport': 'false' } },
      }),
    )
    if (!stage.alarmEmail) return
    this.topic.addSubscription(new EmailSubscription(stage.alarmEmail))
    acknowledge(this.topic, {
      'Serverless-SNSRedrivePolicy': 'It mails people: an alarm that cannot be mailed stays red in CloudWatch',
    })
  }
}
