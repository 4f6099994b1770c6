import { ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { InlineRole } from '../InlineRole.ts'

/**
 * A role that only Lambda may assume, without permissions yet; `test/infra/aws/stacks/golden/permissions.txt` lists those of each role.
 */
export class FunctionRole extends InlineRole {
  constructor(scope: Construct, id: string, roleName?: string) {
    super(scope, id, { roleName, assumedBy: new ServicePrincipal('lambda.amazonaws.com') })
  }
}
