import type { App } from 'aws-cdk-lib/core'
import { AwsSolutionsChecks, NIST80053R5Checks, ServerlessChecks } from 'cdk-nag'

/** The rule packs for every stage. If they find something, the synthesis fails. */
export function rulePacks(app: App) {
  return [new AwsSolutionsChecks(app), new ServerlessChecks(app), new NIST80053R5Checks(app)]
}
