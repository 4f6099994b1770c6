import { Validations } from 'aws-cdk-lib/core'
import type { IConstruct } from 'constructs'

/**
 * Acknowledges findings of the rule packs on a construct and everything in it: rule -> why it does not apply. Call it beside the code that
 * causes the finding, so that people who change the code see the reason.
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason })
}
