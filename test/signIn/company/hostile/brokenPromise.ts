/** What company sign-in promises. */
export type Monitor =
  | 'nobody gets in without a proof that the account accepts'
  | 'a provider vouches for its own verified domains alone'
  | 'an answer that is not the provider’s opens nothing'
  | 'a rule holds at the next request'
  | 'who has left has no access at the next request'
  | 'a logout ends only what it is about'
  | 'a domain belongs to the organization that proves it'
  | 'no owner is locked out'
  | 'an answer says nothing of accounts'
  | 'nobody is refused without a reason'
  | 'an operation answers as the contract says'

/** A promise that was broken, with what came and what the model expects. */
export class BrokenPromise {
  readonly monitor: Monitor
  readonly message: string

  constructor(monitor: Monitor, { came, expected, where }: { came: unknown; expected: unknown; where: string }) {
    this.monitor = monitor
    this.message = `${where}: ${JSON.stringify(came)}, and not ${JSON.stringify(expected)}`
  }
}
