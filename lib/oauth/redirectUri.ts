import type { OAuthClient } from './oauthClient.ts'

/** An address of this machine with its port, if any; nothing but a path or a query may follow it, so no user name hides in it. */
const loopback = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]))(?::\d{1,5})?(?=[/?]|$)/

/**
 * Whether `redirectUri` is registered for the client: equal, character for character (RFC 9700 §2.1). Only a public client's
 * loopback address may have any port, for a native app takes a free one each time (RFC 8252 §7.3).
 */
export function isRegistered(client: Pick<OAuthClient, 'type' | 'redirectUris'>, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false
  if (client.redirectUris.includes(redirectUri)) return true
  return (
    client.type === 'public' &&
    isLoopback(redirectUri) &&
    client.redirectUris.some(
      (registered) => isLoopback(registered) && withoutPort(registered) === withoutPort(redirectUri),
    )
  )
}

/** Whether an address leads to whatever program listens on the user's own machine. */
export function isLoopback(redirectUri: string): boolean {
  return loopback.test(redirectUri)
}

function withoutPort(redirectUri: string): string {
  return redirectUri.replace(loopback, '$1')
}
