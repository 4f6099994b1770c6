import { checkBooks } from '../billing/monitors.ts'
import { openDues, prune, runDue } from '../billing/runDue.ts'
import { type OutgoingWebhook, outgoing, recordAttempt } from '../resources/deliveries.ts'
import { change } from '../resources/events.ts'
import { indexWritten } from '../resources/search.ts'
import { addEndpoint, type EndpointTerms } from '../resources/webhookEndpoints.ts'
import { changeOf, type StateChange } from '../state/changes.ts'
import { type AccountSettings, type Context, newId } from '../state/context.ts'
import { copyState, openSnapshot, resetState } from '../state/snapshot.ts'
import { type DeliveryRecord, emptyState, type Kind, type State, type Violation } from '../state/state.ts'
import { createStore, type Store } from '../state/store.ts'

interface LedgerOptions {
  now: () => number
  random: () => number
  settings: AccountSettings
  apiBase: () => string
  snapshot?: unknown
  /** Called with every change when it is committed. */
  onChange?: ((change: StateChange | State) => void) | undefined
  trace: () => Violation['trace']
  /** Called with each new warning. */
  warn?: ((message: string) => void) | undefined
}

/** The state with its clock, its monitors and its outgoing webhooks. */
export interface Ledger {
  settings(): AccountSettings
  changeSettings(next: AccountSettings): void
  store(): Store
  context(request: Context['request']): Context
  /** Ends a write: rows are indexed for search and the books are checked. */
  commit(): void
  /** Unix seconds of the emulator's clock. */
  now(): number
  /** Runs everything that is due. */
  tick(): void
  /** Moves the clock forward and runs everything due on the way, in order of time. Returns the new time. */
  advance(seconds: number): number
  /** Sets the clock to real time, and keeps everything else: what is due later stays due later. Returns the new time. */
  resetClock(): number
  /** The whole state as plain JSON, without request log and faults. */
  snapshot(): State
  /** Replaces the state. Throws TypeError on anything but a snapshot. */
  restore(json: unknown): void
  /** Clears everything except webhook endpoints and the catalog of `seeded`, a snapshot. The clock returns to real time. */
  reset(seeded?: State): void
  /** Money rules found broken, oldest first. */
  violations(): readonly Violation[]
  /** The violations that no answer has reported yet; marks them as reported. */
  takeUnreported(): Violation[]
  /** Adds or changes the webhook endpoint of a url. Returns its id. */
  registerWebhookEndpoint(terms: EndpointTerms): string
  webhookMode(): 'deliver' | 'hold'
  setWebhookMode(mode: 'deliver' | 'hold'): void
  /** Webhooks that wait to be sent: those due now or, if `all` is set, all that are not yet delivered. Signed as of now. */
  pendingWebhooks(all?: boolean): OutgoingWebhook[]
  /** The first `limit` webhooks due now whose deliveries are not under way. Only these are signed. */
  nextWebhooks(limit: number, underWay: { has(delivery: string): boolean }): OutgoingWebhook[]
  /** Records the status of an attempt; null if there was no answer. */
  recordWebhookAttempt(delivery: string, status: number | null): void
}

/** Opens a ledger, empty or from a snapshot. */
export function createLedger(options: LedgerOptions): Ledger {
  let state = options.snapshot === undefined ? emptyState() : openSnapshot(options.snapshot)
  let store = createStore(state)
  let unreported: Violation[] = []
  let { settings } = options
  let prunedAt: number | undefined

  const now = () => Math.floor(options.now()) + state.offset
  const context = (request: Context['request']): Context => {
    return { store, now: now(), random: options.random, settings, apiBase: options.apiBase, request }
  }
  const own = () => context({ id: null, idempotency_key: null })
  let dues = openDues(own())

  function commit(): void {
    const written = store.commit()
    if (written.length === 0) return
    for (const { kind, id } of written) if (kind === 'foreign_versions') warn(id)
    const here = own()
    for (const of of dues) of.note(here, written)
    indexWritten(here, written)
    for (const finding of checkBooks(store, settings, written)) {
      const known = store.all('violations').some((row) => row.rule === finding.rule && row.message === finding.message)
      if (known) continue
      const violation = { id: newId(here, 'violations'), at: here.now, ...finding, trace: options.trace() }
      store.put('violations', violation)
      unreported.push(violation)
    }
    note([...written, ...store.commit()])
  }

  function warn(version: string): void {
    const message = store.get('foreign_versions', version)?.message
    if (message !== undefined) options.warn?.(message)
  }

  function note(written: { kind: Kind; id: string }[] = []): void {
    options.onChange?.(changeOf(state, store, written))
  }

  function tick(): void {
    runDue(own(), dues, commit)
    const time = now()
    if (prunedAt !== time) prune({ store, now: time })
    prunedAt = time
    commit()
  }

  function replace(next: State): void {
    state = next
    store = createStore(state)
    dues = openDues(own())
    unreported = []
    prunedAt = undefined
    options.onChange?.(state)
  }

  function due(): DeliveryRecord[] {
    const time = now()
    return store.all('deliveries').filter((row) => !row.done && (row.next_attempt ?? time + 1) <= time)
  }

  function registerWebhookEndpoint(terms: EndpointTerms): string {
    const known = store.all('webhook_endpoints').find((row) => row.url === terms.url)
    if (known === undefined) {
      const { id } = addEndpoint(own(), terms)
      commit()
      return id
    }
    change(own(), 'webhook_endpoints', known, {
      enabled_events: terms.enabledEvents ?? ['*'],
      status: 'enabled',
      ...(terms.apiVersion !== undefined && { api_version: terms.apiVersion }),
    })
    store.put('endpoint_secrets', { id: known.id, secret: terms.secret, previous: terms.previousSecret ?? null })
    commit()
    return known.id
  }

  return {
    settings: () => settings,
    changeSettings(next) {
      settings = next
      dues = openDues(own())
    },
    store: () => store,
    context,
    commit,
    now,
    tick,
    advance(seconds) {
      state.offset += seconds
      note()
      tick()
      return now()
    },
    resetClock() {
      state.offset = 0
      note()
      return now()
    },
    snapshot: () => copyState(state),
    restore: (json) => replace(openSnapshot(json)),
    reset: (seeded) => replace(resetState(state, seeded)),
    violations: () => store.all('violations'),
    takeUnreported() {
      const taken = unreported
      unreported = []
      return taken
    },
    registerWebhookEndpoint,
    webhookMode: () => state.webhook_mode,
    setWebhookMode(mode) {
      state.webhook_mode = mode
      note()
    },
    pendingWebhooks(all = false) {
      const rows = all ? store.all('deliveries').filter(({ done }) => !done) : due()
      return rows.flatMap((row) => outgoing(own(), row) ?? [])
    },
    nextWebhooks(limit, underWay) {
      const webhooks: OutgoingWebhook[] = []
      for (const row of due()) {
        if (webhooks.length === limit) break
        const webhook = underWay.has(row.id) ? undefined : outgoing(own(), row)
        if (webhook) webhooks.push(webhook)
      }
      return webhooks
    },
    recordWebhookAttempt(delivery, status) {
      recordAttempt(own(), delivery, status)
      commit()
    },
  }
}
