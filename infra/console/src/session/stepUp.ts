import * as z from 'zod/mini'
import type { Session } from './session.ts'

/** What a user was doing when the API asked for another sign-in, by a name of its own and as JSON. */
interface KeptAction {
  readonly name: string
  readonly input: unknown
}

/** What was kept, once the browser is back. */
interface ReturnedAction {
  readonly input: unknown
  /** Whether the user has signed in again. Else nothing may be sent: the browser only came back. */
  readonly isSignedIn: boolean
}

/** The way out to another sign-in and back, for what the API does not do for an old one (RFC 9470). */
export interface StepUp {
  /**
   * Keeps the action in this tab, the only one, and leaves for the sign-in. Never resolves: the page ends. Rejects where the sign-in
   * cannot be begun; then nothing is kept.
   * @param parameters what the API asks of the sign-in
   */
  leave(action: KeptAction, parameters: Readonly<Record<string, string>>): Promise<never>
  /** The sign-in for which this tab left has ended well. */
  signedIn(): void
  /** What was kept under this name, by the same user; undefined where nothing was, or it is forgotten. */
  returned(name: string): ReturnedAction | undefined
  forget(name: string): void
}

const KEY = 'console:kept-action'
const keptAction = z.object({ name: z.string(), input: z.unknown(), userId: z.string() })

/** Takes what this tab has kept: it is there for this page alone, so that nothing is done at a later sign-in. */
export function createStepUp(session: Pick<Session, 'snapshot' | 'signIn'>, storage: Storage = sessionStorage): StepUp {
  const text = storage.getItem(KEY)
  storage.removeItem(KEY)
  let kept = text === null ? undefined : keptAction.safeParse(JSON.parse(text)).data
  let isSignedIn = false

  function userOf() {
    const state = session.snapshot()
    return state.kind === 'signed-in' ? state.user : undefined
  }

  return {
    async leave(action, parameters) {
      const user = userOf()
      storage.setItem(KEY, JSON.stringify({ ...action, userId: user?.id ?? '' }))
      const returnTo = location.pathname + location.search
      // A page that the browser has kept comes back as it was left, waiting: it begins anew.
      addEventListener('pageshow', ({ persisted }) => persisted && location.reload())
      try {
        await session.signIn(returnTo, { ...parameters, ...(user && { login_hint: user.email }) })
      } catch (error) {
        storage.removeItem(KEY)
        throw error
      }
      return new Promise<never>(() => {})
    },
    signedIn() {
      isSignedIn = true
    },
    returned: (name) =>
      kept?.name === name && kept.userId === userOf()?.id ? { input: kept.input, isSignedIn } : undefined,
    forget(name) {
      if (kept?.name === name) kept = undefined
    },
  }
}
