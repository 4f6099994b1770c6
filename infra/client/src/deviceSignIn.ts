import type { AuthorizationServer } from './authorizationServer.ts'
import { ConnectionError, isApiError, SignInRefusedError } from './errors.ts'
import type { DeviceSignInOptions } from './signInOptions.ts'
import type { Tokens } from './tokenStore.ts'

/** RFC 8628 §3.5: how much longer to wait after `slow_down`. */
const SLOWER_SECONDS = 5

/** Waits for the next poll; ends early, and throws, if the signal is aborted. */
type Pause = (milliseconds: number, signal: AbortSignal | undefined) => Promise<void>

/**
 * Signs in a device without a browser (RFC 8628): shows its user a code, and polls until the user has decided. Without an answer it waits twice as long.
 * If the answer with the tokens is lost, the next poll is `invalid_grant`: start again.
 * @throws a `SignInRefusedError` `access_denied` or `expired_token`; an `ApiError` for any other refusal
 */
export async function signInDevice(
  server: Pick<AuthorizationServer, 'beginDevice' | 'pollDevice'>,
  { onCode, scope, signal }: DeviceSignInOptions,
  pause: Pause = pauseFor,
): Promise<Tokens> {
  const begun = await server.beginDevice(scope)
  await onCode({ userCode: begun.user_code, verificationUri: begun.verification_uri, expiresIn: begun.expires_in })
  const endsAt = Date.now() + begun.expires_in * 1000
  let seconds = begun.interval ?? SLOWER_SECONDS
  while (Date.now() < endsAt) {
    await pause(seconds * 1000, signal)
    try {
      return await server.pollDevice(begun.device_code)
    } catch (error) {
      seconds = nextWait(error, seconds)
    }
  }
  throw new SignInRefusedError('expired_token', 'the code has expired', undefined)
}

/** How many seconds to wait before the next poll. Throws if there is none. */
function nextWait(error: unknown, seconds: number): number {
  if (isApiError(error, 'authorization_pending')) return seconds
  if (isApiError(error, 'slow_down')) return seconds + SLOWER_SECONDS
  if (error instanceof ConnectionError || isApiError(error, 'service_unavailable')) return seconds * 2
  if (isApiError(error, 'access_denied') || isApiError(error, 'expired_token'))
    throw new SignInRefusedError(error.code, error.detail, undefined)
  throw error
}

function pauseFor(milliseconds: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, milliseconds)
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}
