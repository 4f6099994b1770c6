import { type Fault, faultAnswer } from '../faults/faults.ts'
import type { RawParams } from '../params/form.ts'
import { type AccountKeys, keyKindOf } from '../wire/apiKey.ts'
import { acceptVersion } from '../wire/apiVersions.ts'
import { StripeFault } from '../wire/errors.ts'
import { execute, type Outcome, prepare, refusalOutcome, violationOutcome } from '../wire/execute.ts'
import { fingerprint, savedAnswer } from '../wire/idempotency.ts'
import { writesNothing } from '../wire/routes.ts'
import { atMost, createCustomerLock, customerOf, type Sleep } from './customerLock.ts'
import type { Ledger } from './ledger.ts'

/** An API call: its request, its id in the log, its idempotency key (of any method) and its parameters. */
interface Call {
  id: string
  method: string
  path: string
  query: string
  headers: Record<string, string | undefined>
  body: string
  key: string | null
  params: RawParams
}

/** An outcome. If a key replays it, `original` is the request that it repeats. */
type Answered = Outcome & { replayed: boolean; original?: string }

interface CallParts {
  ledger: Ledger
  keys: AccountKeys
  deliver: (() => Promise<unknown>) | undefined
  timing: { sleep: Sleep; closing: AbortSignal }
}

/** Milliseconds that a call waits for the webhooks of its events to be answered. */
const earlyEventsMs = 2000

/** Executes calls: takes the key, then the lock of the customer, then does the work. Key and lock are held until the answer. */
export function createCalls({ ledger, keys, deliver, timing }: CallParts) {
  const busy = new Set<string>()
  const lock = createCustomerLock(timing)

  /** `real`, or the 500 for violations that no answer has reported yet. */
  function reported(real: Outcome): Outcome {
    const broken = ledger.takeUnreported()
    return broken.length === 0 ? real : violationOutcome(broken)
  }

  function work(call: Call, key: string | null, print: string, run: Run, fault: Fault | undefined): Outcome {
    const context = ledger.context({ id: call.id, idempotency_key: call.key })
    const injected = fault?.kind === 'status' ? { ...faultAnswer(fault), saved: true } : undefined
    const done = injected && !fault?.effect ? injected : execute(context, run, ledger.store(), ledger.commit)
    // If an answer is lost or replaced, the next answer reports the violation.
    const real = injected || fault?.kind === 'drop_after' ? done : reported(done)
    const kept = injected && fault?.saved ? injected : real
    if (key !== null && kept.saved) {
      const { status, body } = kept
      const answer = { fingerprint: print, status, body, first_used: context.now, request: call.id }
      ledger.store().put('keys', { id: key, ...answer })
      ledger.commit()
    }
    return injected ?? real
  }

  /** Waits as long as the call still runs after its work: for its events, its lock, and a fault that delays it. */
  async function runOn(locked: boolean, wrote: boolean, fault: Fault | undefined): Promise<void> {
    const { earlyEvents, writeMs } = ledger.settings()
    if (earlyEvents && wrote && deliver !== undefined) await atMost(earlyEventsMs, deliver(), timing)
    if (locked && writeMs > 0) await timing.sleep(writeMs, timing.closing)
    if (fault?.kind === 'delay') await timing.sleep(fault.delay_ms, timing.closing)
  }

  /** Accepts the version that a call names; its warning is kept even if the call is refused. */
  function acceptNamed({ id, key, headers: { 'stripe-version': version } }: Call): void {
    if (version === undefined) return
    acceptVersion(ledger.context({ id, idempotency_key: key }), version, 'Stripe-Version')
    ledger.commit()
  }

  async function underKey(call: Call, key: string | null, fault: Fault | undefined): Promise<Answered> {
    const kind = keyKindOf(call.headers.authorization, keys)
    acceptNamed(call)
    const run = prepare({ ...call, version: call.headers['stripe-version'] }, kind)
    const print = fingerprint(call.path, call.body)
    const saved = key === null ? undefined : savedAnswer(ledger.store(), busy, key, print)
    if (key !== null) busy.add(key)
    const { customerLock, customerLockWaitMs } = ledger.settings()
    const writes = saved === undefined && !writesNothing(call.method, call.path)
    const customer = customerLock && writes ? customerOf(ledger.store(), call.path, call.params) : undefined
    let release: (() => void) | undefined
    try {
      if (customer !== undefined) release = await lock.acquire(customer, customerLockWaitMs)
      const done: Answered = saved
        ? { status: saved.status, body: saved.body, saved: true, replayed: true, original: saved.request }
        : { ...work(call, key, print, run, fault), replayed: false }
      await runOn(release !== undefined, writes, fault)
      return done
    } finally {
      release?.()
      if (key !== null) busy.delete(key)
    }
  }

  return {
    reported,
    /** The outcome of a call; undefined if the emulator was closed while the call waited. */
    async carryOut(call: Call, fault: Fault | undefined): Promise<Answered | undefined> {
      try {
        return await underKey(call, call.method === 'POST' ? call.key : null, fault)
      } catch (error) {
        if (error instanceof StripeFault) return { ...refusalOutcome(error, call.id, ledger.now()), replayed: false }
        if (timing.closing.aborted) return undefined
        throw error
      }
    },
  }
}

type Run = ReturnType<typeof prepare>
