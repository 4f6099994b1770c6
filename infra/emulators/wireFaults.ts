import * as z from 'zod'

/**
 * A fault on the wire. `operation` is the AWS operation name, any when left out; the first `after` matching calls
 * pass, the next `times` fail. An SDK repeats a failed call by itself, and every wire attempt counts.
 * - `error`: answered with `status` and the error; nothing is done. Without `error`, a 500 InternalServerError.
 * - `drop_before`: the connection is cut; nothing is done.
 * - `drop_after`: done, then the connection is cut instead of the answer.
 */
export const wireFaultSchema = z.object({
  operation: z.string().optional(),
  after: z.int().min(0).default(0),
  times: z.int().min(1),
  kind: z.enum(['error', 'drop_before', 'drop_after']).default('error'),
  error: z
    .object({ type: z.string(), message: z.string().default('') })
    .loose()
    .optional(),
  status: z.int().min(400).max(599).optional(),
})
export type WireFault = z.input<typeof wireFaultSchema>

/** A running emulator of a service of AWS. */
export interface WireEmulator {
  /** `http://127.0.0.1:PORT`, to be given to an SDK as its endpoint. */
  readonly endpoint: string
  /** Orders a fault, as `POST /_control/faults` does. */
  fail(fault: WireFault): void
  /** Stops listening and cuts open connections. */
  close(): Promise<void>
}

/** A wire call; `at` is its arrival in Unix milliseconds. */
export interface WireCall {
  readonly operation: string
  readonly at: number
}

/** The operation name in an `X-Amz-Target` header: `TrentService.Sign` is `Sign`. Undefined if there is no such header. */
export function operationOf(target: string | string[] | undefined): string | undefined {
  return typeof target === 'string' ? target.split('.').at(-1) : undefined
}

/** Counts wire calls and returns the faults injected into them, oldest first. */
export function createWireFaults() {
  const calls: WireCall[] = []
  const faults: z.output<typeof wireFaultSchema>[] = []

  return {
    /** Records a call and returns its fault. A call with a fault is not counted by later faults. */
    take(operation: string): z.output<typeof wireFaultSchema> | undefined {
      calls.push({ operation, at: Date.now() })
      for (const fault of faults) {
        if (fault.times === 0 || (fault.operation ?? operation) !== operation) continue
        if (fault.after > 0) {
          fault.after -= 1
          continue
        }
        fault.times -= 1
        return fault
      }
      return undefined
    },
    /** Orders a fault. Throws ZodError when it is malformed. */
    fail(fault: WireFault): void {
      faults.push(wireFaultSchema.parse(fault))
    },
    /** Every call since the start or the last reset, oldest first. */
    calls: (): readonly WireCall[] => [...calls],
    /** Clears the calls and the faults not yet used up. */
    reset(): void {
      calls.length = 0
      faults.length = 0
    },
  }
}

/** Status and JSON body of an `error` fault; members of `error` beside type and message go onto the wire as they are. */
export function faultAnswer(fault: z.output<typeof wireFaultSchema>): { status: number; body: string } {
  const { type, message, ...members } = fault.error ?? { type: 'InternalServerError', message: 'Injected fault' }
  const status = fault.status ?? (fault.error === undefined ? 500 : 400)
  return { status, body: JSON.stringify({ __type: type, message, ...members }) }
}
