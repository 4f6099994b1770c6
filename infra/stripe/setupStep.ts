/** `differs`: correct it by hand, because Stripe does not let it change. */
export interface SetupStep {
  done: 'made' | 'changed' | 'kept' | 'differs'
  what: string
}
