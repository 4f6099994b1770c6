/**
 * The relying party of passkeys, from the issuer's URL: its host. An IP address cannot be a relying party (WebAuthn §5.1.2), so a service
 * on a loopback address uses `localhost`, the same machine.
 */
export function relyingPartyOf(issuer: string): { readonly id: string; readonly origin: string } {
  const url = new URL(issuer)
  if (url.hostname === '127.0.0.1' || url.hostname === '[::1]') url.hostname = 'localhost'
  return { id: url.hostname, origin: url.origin }
}
