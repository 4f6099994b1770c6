import { reasonOf } from '../../core/errors.ts'
import type { EndpointName } from '../ports.ts'
import { type DeliverDeps, deliver } from './deliver.ts'
import type { DeliveryName, Turn } from './ports.ts'

export interface RunDeps extends DeliverDeps {
  readonly pause: (milliseconds: number) => Promise<void>
}

export interface RunOptions {
  /** The stream leaves endpoints that fail or are slow to the schedule, so it waits for each at most once. */
  readonly source: 'stream' | 'schedule'
  /** No attempt begins later; Unix milliseconds. */
  readonly finishBy: number
}

/** How many attempts a run made, and with what success. `unserved`: deliveries that a failure of the store or of KMS left as they were. */
export interface DeliveryReport {
  delivered: number
  failed: number
  readonly unserved: DeliveryName[]
}

/** How many endpoints a run serves at once, and how many of them may be in trouble: the others never wait for those. */
const LANES = 32
const TROUBLED_LANES = 24

/** A run leaves an endpoint after so many failures in a row. */
const FAILURES = { stream: 1, schedule: 5 } as const

/** Milliseconds: a turn outlasts the run by an attempt and its writes. */
const TURN = 30_000

/** The first retry, after about 5 s, is made by the same run; milliseconds. */
const LONGEST_WAIT = 6500

/** An endpoint in a run. */
interface Visit {
  readonly endpoint: EndpointName
  readonly waiting: DeliveryName[]
  /** The delivery that failed first, to be tried again in this run. */
  again: { readonly name: DeliveryName; readonly at: number } | undefined
  turn: Turn | undefined
  isTroubled: boolean
  failures: number
}

/**
 * Tries deliveries that are due. Endpoints are served at once and take turns: each gets one attempt, then the others. At most two runs serve
 * an endpoint at a time.
 */
export async function runDeliveries(
  { cipher, ...others }: RunDeps,
  names: readonly DeliveryName[],
  options: RunOptions,
): Promise<DeliveryReport> {
  const deps = { ...others, cipher: decryptOnce(cipher) }
  const report: DeliveryReport = { delivered: 0, failed: 0, unserved: [] }
  const queue = visitsOf(names)
  let troubled = 0
  const nextVisit = () => {
    const at = queue.findIndex(({ isTroubled }) => !isTroubled || troubled < TROUBLED_LANES)
    return at === -1 ? undefined : queue.splice(at, 1)[0]
  }
  const serve = async () => {
    for (let visit = nextVisit(); visit !== undefined; visit = nextVisit()) {
      const wasTroubled = visit.isTroubled
      if (wasTroubled) troubled += 1
      const isLeft = await serveOnce(deps, visit, options, report)
      if (wasTroubled) troubled -= 1
      if (isLeft) queue.push(visit)
    }
  }
  await Promise.all(Array.from({ length: LANES }, serve))
  return report
}

/** Secrets of a run are decrypted once. */
function decryptOnce({ decrypt }: RunDeps['cipher']): RunDeps['cipher'] {
  const known = new Map<string, Promise<string>>()
  return {
    decrypt(owner, text) {
      const secret = known.get(`${owner} ${text}`) ?? decrypt(owner, text)
      known.set(`${owner} ${text}`, secret)
      return secret
    },
  }
}

function visitsOf(names: readonly DeliveryName[]): Visit[] {
  return [...Map.groupBy(names, ({ endpointId }) => endpointId)].flatMap(([id, waiting]) => {
    const [first] = waiting
    if (first === undefined) return []
    const endpoint = { owner: first.owner, id }
    return [{ endpoint, waiting: [...waiting], again: undefined, turn: undefined, isTroubled: false, failures: 0 }]
  })
}

/** Takes a turn, makes an attempt, or gives the turn back. Never throws. Returns whether the endpoint is to be served again. */
async function serveOnce(deps: RunDeps, visit: Visit, options: RunOptions, report: DeliveryReport): Promise<boolean> {
  let name: DeliveryName | undefined
  try {
    if (visit.turn === undefined) return await begin(deps, visit, options)
    name = await nextDelivery(deps, visit, options)
    if (name === undefined) {
      await deps.queue.endTurn(visit.endpoint, visit.turn)
      return false
    }
    await serveDelivery(deps, visit, name, report)
    return true
  } catch (error) {
    deps.logger.error('Deliveries not made', { endpointId: visit.endpoint.id, reason: reasonOf(error) })
    report.unserved.push(...(name === undefined ? [] : [name]), ...visit.waiting.splice(0))
    return false
  }
}

async function begin(deps: RunDeps, visit: Visit, { source, finishBy }: RunOptions): Promise<boolean> {
  const { queue, clock } = deps
  const now = clock.now()
  const result = await queue.takeTurn(visit.endpoint, { now, until: finishBy + TURN })
  if (result.kind === 'busy') return false
  if (result.kind === 'gone') {
    // Nothing is sent: each delivery ends.
    for (let name = visit.waiting.shift(); name !== undefined && clock.now() < finishBy; name = visit.waiting.shift())
      await deliver(deps, name)
    return false
  }
  visit.turn = result.turn
  visit.isTroubled = now < (result.endpoint.slowUntil ?? 0)
  if (visit.isTroubled && source === 'stream') visit.waiting.length = 0
  return true
}

/** What to try now, after waiting for it if need be; undefined if the run is done with this endpoint. */
async function nextDelivery(
  { clock, pause }: RunDeps,
  visit: Visit,
  { source, finishBy }: RunOptions,
): Promise<DeliveryName | undefined> {
  if (visit.failures >= FAILURES[source]) visit.waiting.length = 0
  const name = clock.now() < finishBy ? visit.waiting.shift() : undefined
  const { again } = visit
  if (name !== undefined || again === undefined) return name
  visit.again = undefined
  if (again.at >= finishBy) return undefined
  await pause(Math.max(0, again.at - clock.now()))
  return again.name
}

async function serveDelivery(deps: RunDeps, visit: Visit, name: DeliveryName, report: DeliveryReport): Promise<void> {
  const result = await deliver(deps, name)
  if (result.kind === 'skipped') return
  report[result.kind] += 1
  if (result.kind === 'delivered') {
    visit.failures = result.isSlow ? visit.failures + 1 : 0
    visit.isTroubled ||= result.isSlow
    return
  }
  visit.failures += 1
  visit.isTroubled = true
  const { retryAt } = result
  if (retryAt !== undefined && retryAt - deps.clock.now() < LONGEST_WAIT) visit.again ??= { name, at: retryAt }
}
