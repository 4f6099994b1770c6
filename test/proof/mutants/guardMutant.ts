import type { CouponGuard, SlotGuard, SwitchGuard } from '../model/guards/guards.ts'
import type { Edit } from './mutate.ts'

/** The guards of fresh facts: what the model takes for granted, because its invocations see one gateway, one account and one time. */
export const factGuards = [
  'looking up leaves the key quiet',
  'a request is answered with what it asked for',
  'cancel asks the gateway first where the record is uncertain',
  'nothing is ended at its period’s end while it may be paid',
  'a cancellation leaves nothing to be paid by card',
  'a payment that a canceling user did not know goes back',
  'only what is surely our own surplus is removed',
  'cancel first, then refund what is paid by then',
  'an invoice of surplus is voided, and then what was paid of it goes back',
  'an organization is sent invoices, and known to owe them',
  'nothing is sold on account while an invoice is overdue',
  'an open invoice keeps the details that it needs',
  'an event is matched by subscription, then customer, then metadata',
  'missing is certain only where the same key sees the customer',
  'a customer is gone only where GET says deleted',
  'an answer is as old as its request',
  'an entitlement ends at its scheduled end',
  'a price that is not sold any more is asked for anew',
  'nothing is sold at a price that its buyer was not shown',
  'a customer is billed in one currency',
  'a coupon is typed by its code',
  'a coupon is redeemed for the user behind the request',
  'nothing is ended for a coupon that cannot be used',
  'a purchase that nothing can pay any more makes room',
  'a redemption that bought nothing is reported',
  'a subscription is adopted with its coupon',
  'the lines of a customer are sent one after another',
  'no purchase number is given twice',
  'a body with unknown members is refused',
  'the key of a customer is sent with what was frozen for it',
  'a payment that waits for its buyer is not begun again',
  'a payment has a fence of its own',
  'a payment is what the subscription shows',
  'a payment begins again after an event',
  'the customer’s last default card is followed',
  'a card that a user chose is not overwritten',
  'the first card that paid is the default',
  'only a card that has paid takes the place of another',
  'a removal counts on no card that is being removed',
  'a card stays while something is paid with it',
  'nothing is sent while its card is removed',
  'a switch asks for what no slot holds',
  'a subscription says what it costs',
] as const
type FactGuard = (typeof factGuards)[number]

/** The guards of devices without a browser. */
export const deviceGuards = [
  'wrong codes of devices are counted',
  'a right code of a device is no try',
  'a device is its user’s',
  'a device is decided before it expires',
  'a device needs a recent sign-in',
  'a device needs its user’s consent',
  'only clients of devices begin',
  'a device code is its client’s',
  'a device waits between polls',
  'a device code is for the grant of devices',
  'one of two polls is noted',
  'a device is decided once',
  'a user code finds one device',
] as const
type DeviceGuard = (typeof deviceGuards)[number]

/** The guards of events and of the endpoints that hear them. */
export const eventGuards = [
  'a subject’s events have the order of its revisions',
  'a number is given once',
  'an event is numbered once',
  'a disabled endpoint gets nothing',
  'one worker tries a delivery',
  'a lapsed claim settles nothing',
  'two runs serve an endpoint',
  'only what failed is disabled',
  'a failure is noted at the endpoint first',
  'a delivery ends after five days',
  'a former secret signs for a day',
  'no endpoint delays another',
  'an owner has ten endpoints',
  'an endpoint begins anew',
  'an address is checked when it is given',
] as const
type EventGuard = (typeof eventGuards)[number]

/** The guards of the sign-in at OpenID providers. */
export const providerGuards = [
  'a provider answers the browser that asked',
  'a sign-in at a provider ends after its time',
  'a provider has verified the address of a new account',
  'a new password disconnects providers',
  'an account that is off signs nobody in',
  'a sign-in of unknown age is not recent',
  'a connection needs a recent sign-in',
  'a page that needs a recent sign-in asks for one',
  'signatures of id_tokens are checked',
  'an id_token is of this sign-in',
  'an account without a password keeps a provider',
  'of two disconnections at once one holds',
] as const
type ProviderGuard = (typeof providerGuards)[number]

/** The guards of the single sign-on of companies. */
export const companyGuards = [
  'a company’s provider speaks for its own domains',
  'a company’s provider speaks for verified addresses',
  'a company’s provider speaks for accounts with an address of its own now',
  'a company’s provider is connected with accounts of its domains',
  'a person is linked for one organization',
  'a sign-on ends with its domain',
  'a sign-on needs a verified domain',
  'two factors there count if the owners trust them',
  'members of the domain come by an enforced sign-on',
  'an enforced sign-on is the organization’s own',
  'the break-glass owner is not bound',
  'an enforced sign-on binds members of its domains',
  'what came by a sign-on ends with its domain',
  'an owner who requires a factor has one here',
  'the break-glass owner stays an owner',
  'an issuer has a public address',
  'a provider’s secret is its owner’s',
  'a provider’s secret goes to its issuer',
  'a logout ends sessions',
  'a logout ends the grants of clients',
  'a logout ends sign-ins that wait',
  'a logout ends what came by its sign-on',
  'a logout of a session ends that session',
  'a logout token counts once',
  'a logout token is for this client',
  'a logout token is new',
  'a logout token is no id_token',
  'a logout token is of the event',
] as const
type CompanyGuard = (typeof companyGuards)[number]

/** A guard of the model, of fresh facts, of devices, of events, of providers or of companies, taken away from the code. A guard that the code holds at several places has a mutant for each. */
export interface GuardMutant extends Edit {
  /** What `--only` takes: lower-case words with hyphens, used once. */
  name: string
  guard: SlotGuard | CouponGuard | SwitchGuard | FactGuard | DeviceGuard | EventGuard | ProviderGuard | CompanyGuard
  /** A second edit, if one alone does not take the guard away. */
  also?: Edit
  /** Test files, from the root of the repository: each fails on the mutant, and passes without it. */
  caughtBy: readonly string[]
  /** Why the guard is not the one piece of code that a reader would look for. */
  because?: string
}

export function editsOf(mutant: GuardMutant): Edit[] {
  return mutant.also ? [mutant, mutant.also] : [mutant]
}
