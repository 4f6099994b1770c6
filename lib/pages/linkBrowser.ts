import type { HttpEvent } from '../http/contract.ts'
import { readSessionCookie } from '../http/sessionCookie.ts'
import { readSession, type SessionDeps } from '../oauth/session.ts'
import type { LinkBrowser } from '../users/openLink.ts'

/** The browser that opened a link, with the user who is signed in there. @throws CommonError `service_unavailable` */
export async function linkBrowser(deps: Omit<SessionDeps, 'ids'>, event: HttpEvent): Promise<LinkBrowser> {
  const secret = readSessionCookie(event)
  const session = await readSession(deps, secret)
  return { secret, userId: session?.user.id }
}
