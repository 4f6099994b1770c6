import { FunctionUrlAuthType } from 'aws-cdk-lib/aws-lambda'
import { Construct } from 'constructs'
import { acknowledge } from '../acknowledge.ts'
import type { ServiceFunction } from '../functions/ServiceFunction.ts'

/** A Lambda URL that anyone may call, for a function that checks the signature of every body itself. */
export class WebhookUrl extends Construct {
  /** Register it as the endpoint at Stripe. */
  readonly url: string

  constructor(scope: Construct, id: string, fn: ServiceFunction) {
    super(scope, id)
    // Adds both permissions that a URL needs since October 2025: InvokeFunctionUrl, and InvokeFunction through the URL.
    this.url = fn.live.addFunctionUrl({ authType: FunctionUrlAuthType.NONE }).url
    acknowledge(fn.live, {
      'NIST.800.53.R5-LambdaFunctionPublicAccessProhibited':
        'Stripe has no AWS credentials: the function checks the signature of every body before anything else',
    })
  }
}
