import type { KnownBrowserCookie } from '../../users/ports.ts'

/** What to do with the session cookie: set it to the secret of a session or of a sign-in that is pending, or clear it. */
export type SessionChange =
  | {
      readonly started: string
      readonly maxAgeSeconds: number
      /** The cookie by which the browser is known for the account, also after the session; undefined while the sign-in is pending. */
      readonly knownBrowser?: KnownBrowserCookie
    }
  | 'ended'
