/** What was found or done. `differs` has to be corrected by hand: Stripe does not let it be changed. */
export interface SetupStep {
  done: 'made' | 'changed' | 'kept' | 'differs'
  what: string
}
