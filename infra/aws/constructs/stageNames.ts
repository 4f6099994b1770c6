import { Aws, RemovalPolicy } from 'aws-cdk-lib/core'
import type { StageSettings } from '../../data/stages.ts'

/** The name of a function on AWS: its manifest name with the stage before it. */
export function functionName(stage: StageSettings, name: string): string {
  return `${stage.name}-${name}`
}

/** The name of the vault that tables are backed up to, before they are copied to another account. */
export function vaultName(stage: Pick<StageSettings, 'name'>): string {
  return `${stage.name}-console`
}

/**
 * The name of a function's role, known before the role is made: key policies name it. Roles are the account's, not the region's, so
 * that the region is part of it.
 */
export function roleName(stage: StageSettings, name: string): string {
  return `${functionName(stage, name)}-${stage.region ?? Aws.REGION}`
}

/** The ARN of the role of `roleName`. */
export function roleArn(stage: StageSettings, name: string): string {
  return `arn:${Aws.PARTITION}:iam::${stage.account ?? Aws.ACCOUNT_ID}:role/${roleName(stage, name)}`
}

/**
 * What becomes of what cannot be made again. It is deleted where the operation that created it is rolled back: nothing is in it yet, and
 * what a failed deployment kept under its name would make the next one fail.
 */
export function removalPolicy(stage: StageSettings): RemovalPolicy {
  return stage.removal === 'retain' ? RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE : RemovalPolicy.DESTROY
}
