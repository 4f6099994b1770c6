import { AccountRootPrincipal, PolicyDocument, PolicyStatement } from 'aws-cdk-lib/aws-iam'

/** One use of a key, and the roles that may make it. */
export interface KeyUser {
  /** Without `kms:`. */
  readonly action: string
  /** What the key is used for; where a key has one use only, left out. */
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
 * A key policy under which IAM alone allows no use of the key: administration for the account, and each use for its roles, which
 * their own policies must allow too. Roles are conditions, not principals, so that a key can be made before they are.
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
