import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam'
import type { Construct } from 'constructs'
import { acknowledge } from './acknowledge.ts'

/** A role that only Lambda takes on, with no permission yet; each one's permissions are listed in `test/aws/golden/permissions.txt`. */
export function createFunctionRole(scope: Construct, id: string, roleName?: string): Role {
  const role = new Role(scope, id, {
    ...(roleName && { roleName }),
    assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
  })
  acknowledge(role, {
    'NIST.800.53.R5-IAMNoInlinePolicy':
      'A policy that fits one function goes with it; a managed one could be attached elsewhere',
  })
  return role
}
