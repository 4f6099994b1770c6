/**
 * Where passkeys are made and used, by the issuer's URL: its host is the relying party. An IP address is none (WebAuthn §5.1.2), so a service
 * on a loopback address has its passkeys at `localhost`, which is the same machine.
 */
export function relyingPartyOf(issuer: string): { readonly id: string; readonly origin: string } {
  const url = new URL(issuer)
  if (url.hostname === '127.0.0.1' || url.hostname === '[::1]') url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}
