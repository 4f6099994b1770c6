import { CfnOutput, Stack, type StackProps } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../data/stages.ts'
import { Keys } from '../constructs/data/Keys.ts'
import { Mail } from '../constructs/data/Mail.ts'
import { OperatorRole } from '../constructs/data/OperatorRole.ts'
import { Secrets } from '../constructs/data/Secrets.ts'
import { Tables } from '../constructs/data/Tables.ts'

/** Resources that cannot be created again, separate from the rest, so that they stay when the service is rolled back or removed. */
export class DataStack extends Stack {
  readonly tables: Tables
  readonly keys: Keys
  readonly secrets: Secrets
  readonly mail: Mail

  constructor(scope: Construct, id: string, stage: StageSettings, props: StackProps) {
    super(scope, id, { description: 'Tables, keys, secrets and mail of the console', ...props })
    this.tables = new Tables(this, 'Tables', stage)
    this.keys = new Keys(this, 'Keys', stage)
    this.secrets = new Secrets(this, 'Secrets', stage)
    this.mail = new Mail(this, 'Mail', stage)
    const operator = new OperatorRole(this, 'Operator', stage)
    this.keys.grantOperator(operator)
    this.secrets.grantOperator(operator)
    // Tables come last: they are protected from deletion, so if a later resource failed, the stack could not be rolled back.
    this.tables.node.addDependency(this.keys, this.secrets, this.mail, operator)
    this.tables.grantOperator(operator)
    for (const [name, { tableName }] of Object.entries(this.tables.byName)) {
      this.output(`${name}Table`, tableName, `The name of the table ${name}`)
    }
    for (const [name, arn] of Object.entries(this.secrets.arns)) {
      this.output(`${name}Arn`, arn, 'Give it its value with `aws secretsmanager put-secret-value`')
    }
    this.output('customerKeyId', this.keys.customer.keyId, 'The key of customer ids and authenticator apps')
    this.output('operatorRoleArn', operator.roleArn, 'The role that operators’ commands assume')
    for (const [index, { name, value }] of this.mail.dkimRecords.entries()) {
      this.output(`MailDns${index + 1}`, `${name} CNAME ${value}`, 'What DNS must hold before mails are sent')
    }
  }

  private output(id: string, value: string, description: string): void {
    new CfnOutput(this, id, { value, description })
  }
}
