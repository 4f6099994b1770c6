import { samplesOf } from '../local/samples/readSamples.ts'
import { sampleEvent } from '../local/samples/sampleEvent.ts'
import type { FunctionName } from '../manifest.ts'

/** The operations of the published interface, and Stripe's webhook. */
const published: readonly FunctionName[] = [
  'oauth-token',
  'users-me-update',
  'billing-checkout',
  'billing-setup-intent',
  'billing-cancel',
  'stripe-webhook',
]

/** The files of `events/aws`, to paste into AWS's console: every sample that succeeds, and a refusal of each status. */
export function wholeEvents(): { readonly file: URL; readonly text: string }[] {
  return published.flatMap((functionName) =>
    chosenSamples(functionName).map((sample) => ({
      file: new URL(`../../events/aws/${functionName}.${sample}.json`, import.meta.url),
      text: `${JSON.stringify(sampleEvent(functionName, sample), null, 2)}\n`,
    })),
  )
}

function chosenSamples(functionName: FunctionName): string[] {
  const samples = Object.entries(samplesOf(functionName))
  return samples
    .filter(([, { expect }], at) => expect < 400 || samples.findIndex((each) => each[1].expect === expect) === at)
    .map(([name]) => name)
}
