/** Every guard of the slot protocol that can be taken away, by what it demands. */
export const slotGuards = [
  'keys come from the claim',
  'send only while the lease lasts',
  'settle on the rev of the claim',
  'unknown is never a refusal',
  'unsaved rejection after an earlier attempt is unknown',
  'replay only under 20 h, list after',
  'only the same request replays',
  'a stored failure waits for 20 h as well',
  'a sending counts unless its only attempt was rejected',
  'the slot’s own is fetched before another one is judged',
  'the number of the slot’s own is no surplus',
  'list, never search',
  'quiet period before giving up',
  'the quiet period has passed before the list is read',
  'await or abort before returning',
  'a replayed answer is fetched anew',
  'cancel a declined purchase before freeing',
  'cancel at the gateway first',
  'a write that lost fetches anew',
  'the projection fetches the latest',
  'the projection compares and sets',
  'the projection is guarded by subscription id',
] as const
/** One of them. */
export type SlotGuard = (typeof slotGuards)[number]

/** Every guard of the coupon protocol that can be taken away. */
export const couponGuards = [
  'reserved in the transaction of the claim',
  'released in the transaction that frees the slot',
  'never freed by an expiry',
  'buy anew only on a projection that was committed',
  'a declined purchase keeps its coupon',
  'only a declined purchase makes room for another coupon',
  'what was paid makes no room for another coupon',
] as const
/** One of them. */
export type CouponGuard = (typeof couponGuards)[number]

/** Every guard of the switch between gateways that can be taken away. */
export const switchGuards = [
  'sent only while the account is as it was read',
  'the claim and the account are read in one transaction',
  'a claim is given back on its rev',
  'replayed only on the terms of its claim',
  'switched only while every slot is free',
  'switched only from what was read',
] as const
/** One of them. */
export type SwitchGuard = (typeof switchGuards)[number]

/** Every guard of the deletion of an organization that can be taken away. */
export const deletionGuards = [
  'sent only while nothing is being deleted',
  'the claim and the organization are read in one transaction',
  'a claim of what is being deleted is given back on its rev',
  'deleted only while every slot is free',
  'restored only while the erasure has not begun',
  'begun only where it was not restored',
] as const
/** One of them. */
export type DeletionGuard = (typeof deletionGuards)[number]

/** Every guard of events to other systems that can be taken away. */
export const eventGuards = [
  'the event is in the transaction of its fact',
  'later revisions are read first',
  'a number is given only after the number that was read',
  'the delivery is in the transaction of the number',
  'delivered is stored after the answer',
  'a claim lapses',
] as const
/** One of them. */
export type EventGuard = (typeof eventGuards)[number]

/** What is believed of the gateway and not enforced by anything here. */
export const assumptions = ['a stored failure that was not recorded is rolled forward at once or never'] as const
/** One of them. */
export type Assumption = (typeof assumptions)[number]
