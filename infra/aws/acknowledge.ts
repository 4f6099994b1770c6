import { Validations } from 'aws-cdk-lib/core'
import type { IConstruct } from 'constructs'

/**
 * Lets findings of the rule packs pass on a construct and all within it: rule -> why it does not apply there. Stands beside what it
 * excuses, so that a change of that code meets the reason.
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason })
}
