import type { CallRecorder } from '../adapters/xray/callRecorder.ts'
import { tracedClient } from '../adapters/xray/tracedClient.ts'
import { tracedHttpClient } from '../adapters/xray/tracedHttpClient.ts'
import { finishBeforeAnswer } from '../http/endpoint/lastWork.ts'
import { environment, traceHeader } from './environment.ts'

const isTraced = environment.TRACING === 'on'

let recorders: Promise<(header: string) => CallRecorder | undefined> | undefined

/** The recorder of the running invocation; undefined where it is not sampled. What sends is loaded for the first that is. */
async function findRecorder(): Promise<CallRecorder | undefined> {
  const header = traceHeader()
  if (!header?.includes('Sampled=1')) return undefined
  recorders ??= openRecorders()
  return (await recorders)(header)
}

async function openRecorders() {
  const { createCallRecorder } = await import('../adapters/xray/callRecorder.ts')
  const { AWS_REGION: region, AWS_XRAY_DAEMON_ADDRESS: daemonAddress } = environment
  return createCallRecorder({ daemonAddress, region, finishBeforeAnswer })
}

/** A client of AWS's, whose calls are part of the function's trace where the stage traces; the client as it is elsewhere. */
export function traced<Client extends Parameters<typeof tracedClient>[0]>(client: Client): Client {
  return isTraced ? tracedClient(client, findRecorder) : client
}

/** The same for what Stripe's SDK sends requests with; undefined where the stage does not trace. */
export const tracedRequests = isTraced
  ? (client: Parameters<typeof tracedHttpClient>[0]) => tracedHttpClient(client, findRecorder)
  : undefined
