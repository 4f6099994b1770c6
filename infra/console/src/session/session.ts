import {
  type Answer,
  type ConsoleClient,
  NotSignedInError,
  SignInRefusedError,
  UnknownSignInError,
  UserChangedError,
} from '../../../client/src/index.ts'
import type { User } from '../app/types.ts'
import { createObservable, type Observable } from '../loading/observable.ts'
import { inLanguage } from '../texts/inLanguage.ts'
import type { Language } from '../texts/language.ts'

/** The user's profile, with its version for changes that are based on it. */
export interface Profile {
  readonly user: User
  readonly etag: string | undefined
}

/** Who is signed in. */
type SessionState =
  /** `hasTokens`: the user is known as soon as the API answers. */
  | { readonly kind: 'starting'; readonly hasTokens?: true }
  | { readonly kind: 'signed-out'; readonly notice?: Notice }
  | { readonly kind: 'failed'; readonly error: unknown }
  | ({ readonly kind: 'signed-in' } & Profile)
  | { readonly kind: 'handed-over'; readonly to: string | undefined }

/** The message for a browser that is not signed in, or no longer. */
export type Notice =
  | { readonly kind: 'expired' | 'refused' | 'signed_out' | 'signed_out_elsewhere' | 'signed_out_everywhere' }
  | { readonly kind: 'account_deleted'; readonly at: string }

/** How a sign-in has ended. */
export interface CompletedSignIn {
  /** The address of the console on which it began; undefined if unknown. */
  readonly returnTo: string | undefined
  readonly isSignedIn: boolean
}

/** The sign-in of this browser. */
export interface Session extends Observable<SessionState> {
  /** Finds out who is signed in. */
  start(): Promise<void>
  /** Ends a sign-in at the redirect URI. */
  complete(url: string): Promise<CompletedSignIn>
  /**
   * Leaves for the hosted pages.
   * @param returnTo the address to come back to
   * @param parameters the requirements of the sign-in, such as `max_age`
   */
  signIn(returnTo: string, parameters?: Readonly<Record<string, string>>): Promise<void>
  /** Ends the sign-in here and at the server. */
  signOut(): Promise<void>
  /** Ends every session and every token of the user. */
  signOutEverywhere(): Promise<void>
  /** The sign-in has ended by itself. */
  end(notice: Notice): void
  /** Another user has signed in in another tab; `to` is their name, if it is known. */
  handOver(to: string | undefined): void
  /** The user's profile has changed. */
  changed(profile: Profile): void
}

const RESUMED = 'console:sign-in-resumed'

/** The profile that an answer holds. */
export function profileIn({ body, etag }: Answer<User>): Profile {
  return { user: body, etag }
}

/**
 * The session of a client's user. Sends nothing before `start` or `complete`.
 * @param language the reader's language, for the hosted pages
 */
export function createSession(client: ConsoleClient, language: () => Language): Session {
  const { show, ...current } = createObservable<SessionState>({ kind: 'starting' })
  const isSignedOut = () => current.snapshot().kind === 'signed-out'

  async function start(): Promise<void> {
    show({ kind: 'starting' })
    try {
      if (!(await client.isSignedIn())) return show({ kind: 'signed-out' })
      show({ kind: 'starting', hasTokens: true })
      show({ kind: 'signed-in', ...profileIn(await client.send('getCurrentUser')) })
    } catch (error) {
      // The client has said so already.
      if (error instanceof UserChangedError) return
      if (!(error instanceof NotSignedInError)) show({ kind: 'failed', error })
      else if (current.snapshot().kind === 'starting') show({ kind: 'signed-out' })
    }
  }

  /**
   * The sign-in began in another tab, such as a tab that waits for a mail, or was used before. The hosted pages know
   * the user now, so a new sign-in returns at once. Only once per tab, so that it never loops.
   */
  async function resume(): Promise<void> {
    await start()
    if (!isSignedOut() || sessionStorage.getItem(RESUMED) !== null) return
    sessionStorage.setItem(RESUMED, 'yes')
    show({ kind: 'starting' })
    await signIn(new URL(document.baseURI).pathname)
  }

  /** `openid`: with its id_token the console signs out without another question. */
  async function signIn(returnTo: string, parameters = {}): Promise<void> {
    location.assign(
      await client.signIn({ returnTo, parameters: { scope: 'openid', ui_locales: language(), ...parameters } }),
    )
  }

  /** A user who was signed in before stays signed in. */
  async function refused({ returnTo }: SignInRefusedError): Promise<CompletedSignIn> {
    await start()
    if (isSignedOut()) show({ kind: 'signed-out', notice: { kind: 'refused' } })
    return { returnTo, isSignedIn: false }
  }

  return {
    ...current,
    start,
    async complete(url) {
      try {
        const { returnTo } = await client.completeSignIn(url)
        await start()
        return { returnTo, isSignedIn: true }
      } catch (error) {
        if (error instanceof SignInRefusedError) return refused(error)
        if (error instanceof UnknownSignInError) await resume().catch((cause) => show({ kind: 'failed', error: cause }))
        else show({ kind: 'failed', error })
        return { returnTo: undefined, isSignedIn: false }
      }
    },
    signIn,
    async signOut() {
      const address = await client.signOut({ postLogoutRedirectUri: document.baseURI })
      if (address === undefined) show({ kind: 'signed-out', notice: { kind: 'signed_out' } })
      else location.assign(inLanguage(address, language()))
    },
    async signOutEverywhere() {
      await client.endAllSessions()
      // Refused: the client forgets its tokens.
      await client.getCurrentUser().catch(() => undefined)
      show({ kind: 'signed-out', notice: { kind: 'signed_out_everywhere' } })
    },
    end: (notice) => show({ kind: 'signed-out', notice }),
    handOver: (to) => show({ kind: 'handed-over', to }),
    changed: (profile) => show({ kind: 'signed-in', ...profile }),
  }
}
