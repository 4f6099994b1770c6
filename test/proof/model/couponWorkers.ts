import { at } from './at.ts'
import {
  type Change,
  type CouponSlot,
  type CouponState,
  type CouponWorker,
  changeAfter,
  doneCouponWorker,
  type Fate,
  freed,
  isHolder,
  nameOf,
  organizationOf,
  projectedCoupon,
  purchaseAt,
  transaction,
  type Without,
  withFate,
} from './couponState.ts'
import type { Visit } from './explore.ts'

/** One checkout with the coupon that is about to take a step. */
interface Turn {
  state: CouponState
  worker: CouponWorker
  slot: CouponSlot
  organization: number
  without: Without
  /** The checkout's next step, and what else it changes. */
  to(label: string, next: Partial<CouponWorker>, change?: Partial<CouponState>): void
}

/** The steps of a checkout with a coupon: reserved with the claim, applied or released with the settle. */
export function workerSteps(state: CouponState, index: number, without: Without, visit: Visit<CouponState>): void {
  const worker = at(state.workers, index)
  const organization = organizationOf(state, index)
  const to: Turn['to'] = (label, next, change = {}) => {
    const workers = state.workers.with(index, { ...worker, ...next })
    visit(`w${index} (org${organization}) ${label}`, { ...state, ...change, workers })
  }
  if (worker.step === 'idle') to('reads', { step: 'read', slot: at(state.slots, organization) })
  else if (worker.slot) steps[worker.step]({ state, worker, slot: worker.slot, organization, without, to })
}

const steps: Readonly<Record<CouponWorker['step'], (turn: Turn) => void>> = {
  idle: () => {},
  done: () => {},
  read,
  resume,
  pay,
  void: voidInvoice,
  stop,
  record: ({ state, slot, organization, to }) => {
    const fate = purchaseAt(state.purchases, { organization, n: slot.n })?.fate ?? null
    to(`looks at it again: ${fate}`, { step: 'resume', fate })
  },
  reserve: (turn) => {
    const { state, slot, organization, to } = turn
    const redemption = { organization, n: slot.n, state: 'reserved' } as const
    if (state.redemption === null) to('reserves', { step: 'send' }, { redemption })
    else free({ ...turn, slot: { ...slot, coupon: false } })
  },
  send,
  answered,
  canceled: free,
  release: ({ state, slot, organization, to }) => {
    const held = isHolder(state.redemption, { organization, n: slot.n })
    to('releases the coupon', doneCouponWorker, held ? { redemption: null } : {})
  },
}

function read(turn: Turn): void {
  const { state, slot, organization, to } = turn
  if (slot.state === 'held' || slot.leased) {
    to('is refused', doneCouponWorker)
  } else if (slot.state === 'incomplete') {
    const fate = purchaseAt(state.purchases, { organization, n: slot.n })?.fate ?? null
    to(`looks at its incomplete purchase: ${fate}`, { step: 'resume', fate })
  } else if (slot.state === 'free') {
    claim(turn)
  } else {
    const next: CouponSlot = { ...slot, rev: slot.rev + 1, leased: true }
    const stored = transaction(state, organization, next, null)
    if (stored) to('takes over', { step: 'send', slot: next }, stored)
    else to('lost the take-over', doneCouponWorker)
  }
}

function claim({ state, slot, organization, without, to }: Turn): void {
  const next: CouponSlot = { ...slot, state: 'pending', n: slot.n + 1, rev: slot.rev + 1, leased: true, coupon: true }
  const plain: CouponSlot = { ...next, coupon: false }
  const stored = transaction(state, organization, next, null)
  if (!stored) {
    to('lost the claim', doneCouponWorker)
    return
  }
  const bare = { slots: state.slots.with(organization, plain) }
  to(`claims n=${next.n} without the coupon`, { step: 'send', slot: plain }, bare)
  const redemption = { organization, n: next.n, state: 'reserved' } as const
  if (without.has('reserved in the transaction of the claim')) {
    to(`claims n=${next.n}, to reserve after`, { step: 'reserve', slot: next }, stored)
  } else if (state.redemption === null) {
    to(`claims n=${next.n} and reserves`, { step: 'send', slot: next }, { ...stored, redemption })
  } else {
    to('is refused, the coupon is taken', doneCouponWorker)
  }
}

/**
 * An incomplete purchase bought again. If it was declined, it is fenced off and paid with another card, or makes room for another coupon. If
 * its invoice was voided, a request crashed between that and the end. If it has ended, its slot is freed and bought anew.
 */
function resume(turn: Turn): void {
  const { state, worker, slot, organization, without, to } = turn
  const fate = worker.fate ?? 'incomplete'
  if (fate === 'incomplete') {
    to('shows the secret again', doneCouponWorker)
    if (without.has('only a declined purchase makes room for another coupon')) {
      to('makes room for another coupon', { step: 'void', fate: null })
    }
    return
  }
  if (fate === 'voided') {
    to('finds it voided', { step: 'stop', fate: null })
    return
  }
  if (fate === 'declined' && !worker.fenced) {
    fence(turn)
    to('makes room for another coupon', { step: 'void', fate: null })
    return
  }
  const next = projectedCoupon(slot, fate)
  const stored = transaction(state, organization, next, changeAfter(slot, fate))
  const label = `${stored ? 'projects' : 'lost the projection of'} its purchase: ${fate}`
  const goesOn = stored !== undefined || without.has('buy anew only on a projection that was committed')
  to(label, fate === 'unpaid' && goesOn ? { step: 'read', slot: next, fate: null } : doneCouponWorker, stored)
}

function fence({ state, slot, organization, to }: Turn): void {
  const next: CouponSlot = { ...slot, rev: slot.rev + 1 }
  const stored = transaction(state, organization, next, null)
  if (stored) to('fences it off to pay', { step: 'pay', slot: next, fenced: true }, stored)
  else to('lost the fence', doneCouponWorker)
}

/** The invoice is voided before its purchase is ended: then no payment comes in between. The gateway voids no invoice that was paid. */
function voidInvoice({ state, slot, organization, without, to }: Turn): void {
  const purchase = purchaseAt(state.purchases, { organization, n: slot.n })
  if (purchase?.fate === 'live' && !without.has('what was paid makes no room for another coupon')) {
    to('finds it paid', { step: 'record' })
    return
  }
  const isOpen = purchase?.fate === 'declined' || purchase?.fate === 'incomplete'
  const change = isOpen ? { purchases: withFate(state.purchases, purchase, 'voided') } : {}
  const broken = purchase?.fate === 'incomplete' ? 'a buyer is cut off who may be authenticating' : state.broken
  to('voids its invoice', { step: 'stop' }, { ...change, broken })
}

function stop({ state, slot, organization, to }: Turn): void {
  const purchase = purchaseAt(state.purchases, { organization, n: slot.n })
  const change = purchase ? { purchases: withFate(state.purchases, purchase, 'unpaid') } : {}
  const broken = purchase?.fate === 'live' ? 'a purchase is ended that was paid' : state.broken
  to('ends it', { step: 'record' }, { ...change, broken })
}

/** The open invoice of a declined purchase is paid with another card, which may be declined as well. */
function pay({ state, slot, organization, to }: Turn): void {
  const purchase = purchaseAt(state.purchases, { organization, n: slot.n })
  if (purchase?.fate !== 'declined') {
    to('finds nothing to pay', { step: 'record' })
    return
  }
  to('pays it', { step: 'record' }, { purchases: withFate(state.purchases, purchase, 'live') })
  to('is declined again', { step: 'record' })
}

/** The gateway executes a purchase once and repeats its answer after that. */
function send({ state, slot, organization, to }: Turn): void {
  const holder = { organization, n: slot.n, coupon: slot.coupon }
  const done = purchaseAt(state.purchases, holder)
  const fates: readonly Fate[] = done ? [done.fate] : ['live', 'incomplete', 'declined', 'refused']
  for (const fate of fates) {
    const purchases = done ? state.purchases : withFate(state.purchases, holder, fate)
    const label = done ? `hears of ${nameOf(holder)}: ${fate}` : `sends, gateway: ${fate}`
    to(label, { step: 'answered', fate }, { purchases })
    if (state.faults < 1) continue
    const leaseReleased = transaction(state, organization, { ...slot, rev: slot.rev + 1, leased: false }, null)
    const change = { purchases, faults: state.faults - 1, ...leaseReleased }
    to(`${label}, unheard: stays pending`, doneCouponWorker, change)
  }
}

function answered(turn: Turn): void {
  const { state, worker, slot, organization, without, to } = turn
  const fate = worker.fate ?? 'refused'
  if (fate === 'refused') {
    free(turn)
  } else if (fate === 'declined' && (!slot.coupon || without.has('a declined purchase keeps its coupon'))) {
    const purchases = withFate(state.purchases, { organization, n: slot.n, coupon: slot.coupon }, 'unpaid')
    to(
      'cancels the declined one',
      { step: 'canceled' },
      {
        purchases,
        broken: slot.coupon ? 'a decline uses the coupon up' : state.broken,
      },
    )
  } else {
    settle(turn, `settles: ${fate}`, projectedCoupon(slot, fate), changeAfter(slot, fate))
  }
}

function settle({ state, organization, to }: Turn, label: string, next: CouponSlot, change: Change): void {
  const stored = transaction(state, organization, next, change)
  to(stored ? label : 'lost the slot', doneCouponWorker, stored)
}

function free(turn: Turn): void {
  const { state, slot, organization, without, to } = turn
  if (!without.has('released in the transaction that frees the slot')) {
    settle(turn, 'frees slot and coupon', freed(slot), slot.coupon ? 'release' : null)
    return
  }
  const stored = transaction(state, organization, freed(slot), null)
  if (stored) to('frees the slot, to release the coupon after', { step: 'release' }, stored)
  else to('lost the slot', doneCouponWorker)
}
