import {
  type AddToPrincipalPolicyResult,
  PolicyDocument,
  type PolicyStatement,
  Role,
  ServicePrincipal,
} from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { acknowledge } from '../acknowledge.ts'

/**
 * A role that only Lambda takes on, with no permission yet; each one's permissions are listed in `test/infra/aws/stacks/golden/permissions.txt`. They
 * are part of the role: the policy that CDK would add is one more resource for each function, and a stack may have 500.
 */
export class FunctionRole extends Role {
  private readonly permissions: PolicyDocument

  constructor(scope: Construct, id: string, roleName?: string) {
    const permissions = new PolicyDocument()
    super(scope, id, {
      ...(roleName && { roleName }),
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
      inlinePolicies: { permissions },
    })
    this.permissions = permissions
    acknowledge(this, {
      'NIST.800.53.R5-IAMNoInlinePolicy':
        'A policy that fits one function goes with it; a managed one could be attached elsewhere',
    })
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.permissions.addStatements(statement)
    return { statementAdded: true, policyDependable: this }
  }
}
