import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'

/** A use of a key, and the roles that may make it. */
export interface KeyUser {
  /** Without `kms:`. */
  readonly action: string
  /** Left out if the key has a single use. */
  readonly purpose?: string | undefined
  readonly roleArns: readonly string[]
  readonly conditions?: Readonly<Record<string, Readonly<Record<string, string>>>> | undefined
}

/** What an administrator of the account may be allowed by IAM: everything but using the key, or granting its use. */
const administration = [
  'CancelKeyDeletion',
  'CreateAlias',
  'DeleteAlias',
  'DescribeKey',
  'DisableKey',
  'EnableKey',
  'EnableKeyRotation',
  'GetKeyPolicy',
  'GetKeyRotationStatus',
  'ListGrants',
  'ListKeyPolicies',
  'ListKeyRotations',
  'ListResourceTags',
  'PutKeyPolicy',
  'RevokeGrant',
  'RotateKeyOnDemand',
  'ScheduleKeyDeletion',
  'TagResource',
  'UntagResource',
  'UpdateAlias',
  'UpdateKeyDescription',
].map((action) => `kms:${action}`)

/**
 * A key policy that lets the account administer the key, and its roles use it if their own policies allow it too. IAM alone allows no use.
 * Roles are conditions, not principals, so that a key can be created before its roles.
 */
export function keyPolicy(users: readonly KeyUser[]): PolicyDocument {
  const everything = { principals: [new AccountRootPrincipal()], resources: ['*'] }
  return new PolicyDocument({
    statements: [
      new PolicyStatement({ sid: 'Administration', actions: administration, ...everything }),
      ...users.map(
        ({ action, purpose = '', roleArns, conditions = {} }) =>
          new PolicyStatement({
            sid: purpose + action,
            actions: [`kms:${action}`],
            ...everything,
            conditions: { ...conditions, ArnEquals: { 'aws:PrincipalArn': roleArns } },
          }),
      ),
    ],
  })
}
