import type { StageSettings } from '../../data/stages.ts'
import { stackNames } from '../stacks/stackNames.ts'
import type { RunAws } from './awsCommand.ts'
import { fillSecret, isFilled, outputsOf } from './deployedStage.ts'

/**
 * What to do before functions can be deployed; undefined if nothing is missing. Without Stripe's key every scheduled run would fail from the
 * first minute on, with dead letters and alarms. The webhook's secret may wait: it exists only when the webhook's URL is registered at Stripe.
 * @throws Error if the data stack is not deployed
 */
export function missingSecret(stage: StageSettings, aws: RunAws): string | undefined {
  const { data } = stackNames(stage)
  const arn = outputsOf(aws, data)?.get('stripeSecretKeyArn')
  if (arn === undefined) throw new Error(`${data} has no output stripeSecretKeyArn`)
  if (isFilled(aws, arn)) return undefined
  return [
    'Stripe’s secret key has no value yet, and the functions of the next stacks read it from their first minute on. Store it, pasted:',
    `   ${fillSecret(arn)}`,
    'Then deploy again: what is deployed already is left as it is.',
  ].join('\n')
}
