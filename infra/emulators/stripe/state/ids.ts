const base62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Length after the prefix if it is not 24 (lengths observed in Stripe's own fixtures, not a contract). */
const lengths: Record<string, number> = { cus: 14, prod: 14, si: 14, req: 14 }

/** `length` base62 characters drawn from `random`. */
export function randomText(random: () => number, length: number): string {
  return Array.from({ length }, () => base62.charAt(Math.floor(random() * 62))).join('')
}

/** An id such as `sub_1a2B...` for which `taken` is false. */
export function mintId(random: () => number, prefix: string, taken: (id: string) => boolean = () => false): string {
  for (;;) {
    const id = `${prefix}_${randomText(random, lengths[prefix] ?? 24)}`
    if (!taken(id)) return id
  }
}

/** `<id>_secret_<25 characters>`, 31 for a SetupIntent. */
export function mintClientSecret(random: () => number, id: string): string {
  return `${id}_secret_${randomText(random, id.startsWith('seti_') ? 31 : 25)}`
}
