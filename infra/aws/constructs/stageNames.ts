import { Aws, RemovalPolicy } from 'aws-cdk-lib/core'
import type { StageSettings } from '../../data/stages.ts'
import { functionName } from './functionNames.ts'

/** The name of the vault that receives the backups of tables, before they are copied to another account. */
export function vaultName(stage: Pick<StageSettings, 'name'>): string {
  return `${stage.name}-console`
}

/**
 * The name of a function's role, known before the role exists, because key policies name it. It includes the region: roles belong to the
 * whole account.
 */
export function roleName(stage: StageSettings, name: string): string {
  return `${functionName(stage, name)}-${stage.region ?? Aws.REGION}`
}

/** The ARN of the role of `roleName`. */
export function roleArn(stage: StageSettings, name: string): string {
  return `arn:${Aws.PARTITION}:iam::${stage.account ?? Aws.ACCOUNT_ID}:role/${roleName(stage, name)}`
}

/**
 * The removal policy of resources with data. If the operation that created a resource is rolled back, it is deleted: it is still empty, and
 * if it were kept under its name, the next deployment would fail.
 */
export function removalPolicy(stage: StageSettings): RemovalPolicy {
  return stage.removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY
}
