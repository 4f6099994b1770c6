import { Validations } from 'aws-cdk-lib/core'
import type { IConstruct } from 'constructs'

/**
 * Acknowledges findings of the rule packs on a construct and everything in it: rule -> why it does not apply there. Called beside
 * the code that it is about, so that a change of that code is made in sight of the reason.
 */
export function acknowledge(construct: IConstruct, reasons: Readonly<Record<string, string>>): void {
  for (const [id, reason] of Object.entries(reasons)) Validations.of(construct).acknowledge({ id, reason })
}
