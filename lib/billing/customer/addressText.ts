import type { Address } from '../gateway/gatewayPorts.ts'

/** The same text for the same address, whatever the order of its members; empty if there is no address. */
export function addressText(address: Address | null): string {
  if (address === null) return ''
  const { line1, line2, city, state, postalCode, country } = address
  return JSON.stringify([line1, line2, city, state, postalCode, country])
}
