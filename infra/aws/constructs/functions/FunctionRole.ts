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
 * A role that only Lambda may assume, without permissions yet; `test/infra/aws/stacks/golden/permissions.txt` lists those of each role. They are
 * inline: CDK's separate policy would be another resource per function, and a stack may have 500.
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
