import { BackupPlan, BackupPlanRule, BackupResource, BackupVault } from 'aws-cdk-lib/aws-backup'
import { Schedule } from 'aws-cdk-lib/aws-events'
import { ManagedPolicy, Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import { Key } from 'aws-cdk-lib/aws-kms'
import { Aws, Duration } from 'aws-cdk-lib/core'
import { Construct, type IDependable } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { acknowledge } from '../acknowledge.ts'
import { removalPolicy, vaultName } from '../stageNames.ts'

/** To which vault of another account backups are copied. */
interface TableBackupsProps {
  readonly stage: StageSettings
  readonly copyTo: string
}

/** A daily backup of every table, and its copy in another account: what an administrator of this account deletes is still there. */
export class TableBackups extends Construct {
  /** Everything but the choice of what is backed up: what tables are made after. */
  readonly madeFirst: readonly IDependable[]
  private readonly plan: BackupPlan
  private readonly role: Role

  constructor(scope: Construct, id: string, { stage, copyTo }: TableBackupsProps) {
    super(scope, id)
    // AWS Backup's own key cannot be shared, so copies to another account need a key of ours.
    const encryptionKey = new Key(this, 'Key', {
      description: 'Encrypts the backups of tables',
      enableKeyRotation: true,
      removalPolicy: removalPolicy(stage),
    })
    encryptionKey.addAlias(`${stage.name}-console-backups`)
    const backupVault = new BackupVault(this, 'Vault', {
      backupVaultName: vaultName(stage),
      encryptionKey,
      removalPolicy: removalPolicy(stage),
    })
    this.plan = new BackupPlan(this, 'Plan', { backupPlanName: `${stage.name}-console` })
    this.plan.addRule(
      new BackupPlanRule({
        backupVault,
        ruleName: 'Daily',
        scheduleExpression: Schedule.cron({ hour: '3', minute: '0' }),
        // Point-in-time recovery has every second of as long; these are for a lost account.
        deleteAfter: Duration.days(7),
        copyActions: [
          {
            destinationBackupVault: BackupVault.fromBackupVaultArn(this, 'Copy', copyTo),
            deleteAfter: Duration.days(35),
          },
        ],
      }),
    )
    this.role = new Role(this, 'Role', {
      assumedBy: new ServicePrincipal('backup.amazonaws.com', {
        // AWS Backup acts for every account (confused deputy).
        conditions: { StringEquals: { 'aws:SourceAccount': Aws.ACCOUNT_ID } },
      }),
      managedPolicies: [ManagedPolicy.fromAwsManagedPolicyName('service-role/AWSBackupServiceRolePolicyForBackup')],
    })
    acknowledge(this.role, {
      'AwsSolutions-IAM4[Policy::arn:<AWS::Partition>:iam::aws:policy/service-role/AWSBackupServiceRolePolicyForBackup]':
        'AWS Backup’s own policy for backups and copies, which AWS keeps as its calls change',
    })
    // Not the whole plan, to which the selection of tables will belong.
    this.madeFirst = [encryptionKey, backupVault, this.role, this.plan.node.defaultChild ?? this.plan]
  }

  /** Backs up these tables from now on. */
  select(tableArns: readonly string[]): void {
    const resources = tableArns.map((arn) => BackupResource.fromArn(arn))
    this.plan.addSelection('Tables', { role: this.role, resources })
  }
}
