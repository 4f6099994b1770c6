import { AccountRootPrincipal, CompositePrincipal } from 'aws-cdk-lib/aws-iam'
import { Aws } from 'aws-cdk-lib/core'
import type { Construct } from 'constructs'
import type { StageSettings } from '../../../data/stages.ts'
import { operator } from '../../../manifest.ts'
import { InlineRole } from '../InlineRole.ts'
import { roleName } from '../stageNames.ts'

/**
 * The role of operators' commands: with the functions, the only user of the customer key. People of the account assume it with MFA. A session of
 * IAM Identity Center carries no MFA key, so its roles are trusted by their path, and Identity Center must ask for MFA. In both cases the
 * person's own policy must allow `sts:AssumeRole` too.
 */
export class OperatorRole extends InlineRole {
  constructor(scope: Construct, id: string, stage: StageSettings) {
    const signedIn = `arn:${Aws.PARTITION}:iam::${stage.account ?? Aws.ACCOUNT_ID}:role/aws-reserved/sso.amazonaws.com/*`
    super(scope, id, {
      roleName: roleName(stage, operator.name),
      assumedBy: new CompositePrincipal(
        new AccountRootPrincipal().withConditions({ Bool: { 'aws:MultiFactorAuthPresent': 'true' } }),
        new AccountRootPrincipal().withConditions({ ArnLike: { 'aws:PrincipalArn': signedIn } }),
      ),
    })
  }
}
