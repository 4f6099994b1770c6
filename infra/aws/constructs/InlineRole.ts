import {
  type AddToPrincipalPolicyResult,
  type IPrincipal,
  PolicyDocument,
  PolicyStatement,
  type PolicyStatementProps,
  Role,
} from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { acknowledge } from './acknowledge.ts'

/** Why a policy is inline. */
export const fitsOneRole = 'A policy that fits one role goes with it; a managed one could be attached elsewhere'

interface InlineRoleProps {
  readonly roleName?: string | undefined
  readonly assumedBy: IPrincipal
}

/** A role without permissions yet. They are inline: CDK's separate policy would be another resource for each role, and a stack may have 500. */
export class InlineRole extends Role {
  private readonly permissions: PolicyDocument

  constructor(scope: Construct, id: string, { roleName, assumedBy }: InlineRoleProps) {
    const permissions = new PolicyDocument()
    super(scope, id, { ...(roleName && { roleName }), assumedBy, inlinePolicies: { permissions } })
    this.permissions = permissions
    acknowledge(this, { 'NIST.800.53.R5-IAMNoInlinePolicy': fitsOneRole })
  }

  override addToPrincipalPolicy(statement: PolicyStatement): AddToPrincipalPolicyResult {
    this.permissions.addStatements(statement)
    return { statementAdded: true, policyDependable: this }
  }

  /** Allows exactly this. */
  allow(statement: PolicyStatementProps): void {
    this.addToPolicy(new PolicyStatement(statement))
  }
}
