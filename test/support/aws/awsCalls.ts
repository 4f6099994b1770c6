import {
  createWireFaults,
  faultAnswer,
  operationOf,
  type WireCall,
  type WireFault,
} from '../../../infra/emulators/wireFaults.ts'
import { createIndexLag } from './indexLag.ts'

/** What DynamoDB says when it refuses: `type` is the exception's name. Reasons are positional, as on the wire. */
export interface DynamoDbFault extends Omit<WireFault, 'error'> {
  readonly error?: {
    readonly type: string
    readonly message?: string
    readonly CancellationReasons?: readonly { Code: string; Message?: string; Item?: Record<string, unknown> }[]
  }
}

/** A call of AWS's JSON protocol: its headers and body. */
export interface AwsCall {
  /** The function that makes it; undefined for a call of the tests. */
  readonly functionName: string | undefined
  /** As in the header X-Amz-Target: `DynamoDB_20120810`, `TrentService`. */
  readonly service: string
  readonly operation: string
  readonly input: unknown
}

/** Called with every call before it is forwarded; the error that it returns is the call's answer, and nothing is done. */
export type Authorize = (call: AwsCall) => { readonly type: string; readonly message: string } | undefined

/** Counts the attempts of calls to an AWS endpoint, and lets chosen attempts fail. */
export interface AwsCalls {
  /** To be given to an SDK as its endpoint. Calls to the target's own endpoint are neither counted nor failed. */
  readonly endpoint: string
  /** Every attempt since the start or the last reset, the SDK's own repetitions included. */
  calls(): readonly WireCall[]
  /** Forgets calls and faults not yet used up. */
  reset(): void
  /** From now on until `reset`, indexes do not have what is written: no item that a call names by its key is found by them. */
  lag(): void
  /** Orders a fault for the next matching attempts. */
  fail(fault: DynamoDbFault): void
  close(): Promise<void>
}

/** An attempt of a call, before it reaches its target. */
export interface Attempt {
  readonly functionName: string | undefined
  /** The header X-Amz-Target. */
  readonly target: string | undefined
  readonly body: string
}

/** How attempts travel: over HTTP, or through the SDK's client. */
export interface Carrier<Answer> {
  forward(): Promise<Answer>
  /** Reads an answer to its end. */
  read(answer: Answer): Promise<{ readonly status: number; readonly body: string }>
  /** Makes an answer of JSON. */
  make(status: number, body: string): Answer
}

function awsCall({ functionName, target = '', body }: Attempt): AwsCall | undefined {
  const [service, operation] = target.split('.')
  return service && operation ? { functionName, service, operation, input: JSON.parse(body) } : undefined
}

/** Counts attempts, and decides of each whether it is forwarded, answered or cut off. */
export function createCallControl(authorize?: Authorize) {
  const faults = createWireFaults()
  const indexes = createIndexLag()

  return {
    /** The answer to an attempt; undefined if its connection is cut. */
    async pass<Answer>(attempt: Attempt, carrier: Carrier<Answer>): Promise<Answer | undefined> {
      const { target, body } = attempt
      const operation = operationOf(target) ?? ''
      const fault = faults.take(operation)
      if (fault?.kind === 'drop_before') return undefined
      if (fault?.kind === 'error') {
        const answer = faultAnswer(fault)
        return carrier.make(answer.status, answer.body)
      }
      const call = authorize && awsCall(attempt)
      const refusal = call && authorize(call)
      if (refusal) return carrier.make(400, JSON.stringify({ __type: refusal.type, message: refusal.message }))
      indexes.note(operation, body)
      const answer = await carrier.forward()
      if (fault?.kind === 'drop_after') {
        await carrier.read(answer)
        return undefined
      }
      if (!indexes.isBehind(operation, body)) return answer
      const found = await carrier.read(answer)
      return carrier.make(found.status, indexes.behind(found.body))
    },
    calls: faults.calls,
    reset() {
      faults.reset()
      indexes.end()
    },
    lag: indexes.begin,
    fail: ({ error, ...fault }: DynamoDbFault) =>
      faults.fail(error === undefined ? fault : { ...fault, error: { ...error } }),
  }
}
