import type { Session } from './session.ts'

/** The action of the user when the API required another sign-in, with a name and its input as JSON. */
interface KeptAction {
  readonly name: string
  readonly input: unknown
}

/** The kept action, when the browser is back. */
interface ReturnedAction {
  readonly input: unknown
  /** Whether the user has signed in again. Else nothing may be sent: the browser only came back. */
  readonly isSignedIn: boolean
}

/** Leaves for another sign-in and returns, if the API requires a recent sign-in (RFC 9470). */
export interface StepUp {
  /**
   * Keeps the action in this tab, replacing any other, and leaves for the sign-in. Never resolves, because the page
   * ends. Rejects if the sign-in cannot begin; then nothing is kept.
   * @param parameters the API's requirements for the sign-in
   */
  leave(action: KeptAction, parameters: Readonly<Record<string, string>>): Promise<never>
  /** The sign-in for which this tab left has ended well. */
  signedIn(): void
  /** The action that the same user kept under this name; undefined if there is none or it was forgotten. */
  returned(name: string): ReturnedAction | undefined
  forget(name: string): void
}

const KEY = 'console:kept-action'

/** Takes the kept action of this tab. Only this page gets it, so that nothing happens at a later sign-in. */
export function createStepUp(session: Pick<Session, 'snapshot' | 'signIn'>, storage: Storage = sessionStorage): StepUp {
  const text = storage.getItem(KEY)
  storage.removeItem(KEY)
  let kept = keptIn(text)
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

/** Checked by hand, because a library for it would be a sixteenth of the first page. The input is checked by the action that takes it. */
function keptIn(text: string | null): (KeptAction & { readonly userId: string }) | undefined {
  const value: unknown = JSON.parse(text ?? 'null')
  if (typeof value !== 'object' || value === null || !('name' in value) || !('userId' in value)) return undefined
  const { name, userId } = value
  if (typeof name !== 'string' || typeof userId !== 'string') return undefined
  return { name, userId, input: 'input' in value ? value.input : undefined }
}
