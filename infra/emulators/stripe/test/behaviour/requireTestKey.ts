/** Throws on anything but a secret or restricted key of test mode: this suite buys and cancels. */
export function requireTestKey(key: string): void {
  if (/^[sr]k_test_\w+$/.test(key)) return
  const kind = /_live_/.test(key) ? 'a key of live mode' : 'no key of test mode'
  throw new Error(`STRIPE_SECRET_KEY is ${kind}: use one that begins with sk_test_`)
}
