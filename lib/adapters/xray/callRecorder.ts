import { randomBytes } from 'node:crypto'
import { type AwsCall, awsMembers } from './awsCall.ts'
import { daemonAt } from './daemon.ts'
import { type StripeCall, stripeMembers } from './stripeCall.ts'
import { sampledSegment } from './traceHeader.ts'

/** Begins the record of a call to another service, which what it returns ends and sends. */
export interface CallRecorder {
  aws(call: AwsCall): (outcome: { output: unknown } | { error: unknown }) => void
  stripe(call: StripeCall): (outcome: { status: number } | { error: unknown }) => void
}

/** Where records go. */
export interface CallRecorderOptions {
  /** Lambda's `AWS_XRAY_DAEMON_ADDRESS`. */
  readonly daemonAddress: string | undefined
  readonly region: string
  /** Lets the answer wait for what is being sent. */
  readonly finishBeforeAnswer: (sent: Promise<void>) => void
}

/**
 * Returns a function that returns the recorder of one invocation, by its tracing header; undefined where that is not sampled, and without a
 * daemon. A call is a document of its own, a subsegment of the function's segment, sent when the call ends: one that Lambda stops has sent what
 * it did before.
 */
export function createCallRecorder(options: CallRecorderOptions): (header: string) => CallRecorder | undefined {
  const send = daemonAt(options.daemonAddress)
  return (header) => {
    const segment = sampledSegment(header)
    if (segment === undefined || send === undefined) return undefined

    function begin(name: string, namespace: 'aws' | 'remote'): (members: object) => void {
      const id = randomBytes(8).toString('hex')
      const startedAt = Date.now()
      // The machine's clock may be set while a call lasts.
      const before = performance.now()
      return (members) => {
        const endedAt = startedAt + performance.now() - before
        const times = { start_time: startedAt / 1000, end_time: Math.round(endedAt * 1000) / 1e6 }
        const ids = { id, trace_id: segment?.traceId, parent_id: segment?.id, type: 'subsegment' }
        const sent = send?.({ ...ids, name, namespace, ...times, ...members })
        if (sent !== undefined) options.finishBeforeAnswer(sent)
      }
    }

    return {
      aws(call) {
        const end = begin(call.clientName.replace(/Client$/, ''), 'aws')
        return (outcome) => end(awsMembers(call, outcome, options.region))
      },
      stripe(call) {
        const end = begin(call.host, 'remote')
        return (outcome) => end(stripeMembers(call, outcome))
      },
    }
  }
}
