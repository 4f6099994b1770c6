import {
  CfnEmailIdentity,
  CloudWatchDimensionSource,
  ConfigurationSet,
  ConfigurationSetTlsPolicy,
  type DkimRecord,
  EmailIdentity,
  EmailSendingEvent,
  EventDestination,
  Identity,
  SuppressionReasons,
} from 'aws-cdk-lib/aws-ses'
import { Stack, Token } from 'aws-cdk-lib/core'
import { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { mailDimension } from '../../alarms/metrics.ts'
import { acknowledge } from '../acknowledge.ts'
import type { ServiceFunction } from '../functions/ServiceFunction.ts'
import { removalPolicy } from '../stageNames.ts'

/**
 * The domain that mails are from (SES, signed with DKIM), and how they are sent: over TLS or not at all, never again to an address that
 * bounced or complained, and with neither opens nor clicks tracked. Mails, bounces, complaints and rejections are counted in CloudWatch.
 */
export class Mail extends Construct {
  readonly configurationSetName: string
  /** What DNS must hold before SES sends: three CNAME records. */
  readonly dkimRecords: readonly DkimRecord[]
  private readonly stage: StageSettings
  private readonly arns: readonly string[]

  constructor(scope: Construct, id: string, stage: StageSettings) {
    super(scope, id)
    this.stage = stage
    const name = `${stage.name}-console`
    const configurationSet = new ConfigurationSet(this, 'ConfigurationSet', {
      configurationSetName: name,
      tlsPolicy: ConfigurationSetTlsPolicy.REQUIRE,
      reputationMetrics: true,
      suppressionReasons: SuppressionReasons.BOUNCES_AND_COMPLAINTS,
      // The account's own dashboard would rewrite links and add an image.
      vdmOptions: { engagementMetrics: false },
    })
    const dimension = { source: CloudWatchDimensionSource.MESSAGE_TAG, name: mailDimension, defaultValue: name }
    configurationSet.addEventDestination('Failures', {
      destination: EventDestination.cloudWatchDimensions([dimension]),
      events: [EmailSendingEvent.SEND, EmailSendingEvent.BOUNCE, EmailSendingEvent.COMPLAINT, EmailSendingEvent.REJECT],
    })
    const identity = new EmailIdentity(this, 'Domain', {
      identity: Identity.domain(stage.mail.domain),
      configurationSet,
      // Else SES mails each bounce to the sender's address, which has no inbox.
      feedbackForwarding: false,
    })
    const { defaultChild } = identity.node
    if (defaultChild instanceof CfnEmailIdentity) defaultChild.applyRemovalPolicy(removalPolicy(stage))
    this.configurationSetName = configurationSet.configurationSetName
    this.dkimRecords = identity.dkimRecords
    const setArn = { service: 'ses', resource: 'configuration-set', resourceName: this.configurationSetName }
    // In the sandbox a recipient is an identity of the account, too, and SES asks whether the caller may use it; the address that mails
    // are from is held by the condition.
    const recipients = { service: 'ses', resource: 'identity', resourceName: '*' }
    this.arns = [
      stage.mail.sandbox ? Stack.of(this).formatArn(recipients) : identity.emailIdentityArn,
      Stack.of(this).formatArn(setArn),
    ]
  }

  /** Lets a function send mail from the stage's address and no other, and sets the variables with it. */
  grantSend(fn: ServiceFunction): void {
    const { mail, branding } = this.stage
    fn.setVariable('MAIL_FROM', `${branding.senderName} <${mail.from}>`)
    fn.setVariable('MAIL_CONFIGURATION_SET', this.configurationSetName)
    fn.allow({
      actions: ['ses:SendEmail'],
      resources: [...this.arns],
      conditions: { StringEquals: { 'ses:FromAddress': mail.from } },
    })
    if (!mail.sandbox) return
    const { partition, region, account } = Stack.of(fn)
    const named = (value: string, parameter: string) => (Token.isUnresolved(value) ? `<AWS::${parameter}>` : value)
    const owner = `${named(region, 'Region')}:${named(account, 'AccountId')}`
    acknowledge(fn, {
      [`AwsSolutions-IAM5[Resource::arn:${named(partition, 'Partition')}:ses:${owner}:identity/*]`]:
        'Recipients that SES knows, while it has the account in its sandbox; from the stage’s address only',
    })
  }
}
