import * as z from 'zod'
import { ids } from '../../../lib/adapters/random/ids.ts'
import { byPassword } from '../../../lib/core/authentication.ts'
import type { Clock } from '../../../lib/core/clock.ts'
import { html } from '../../../lib/core/html.ts'
import { userIdSchema } from '../../../lib/core/ids.ts'
import { readSessionCookie, sessionCookie } from '../../../lib/http/security/cookies.ts'
import { digestSecret } from '../../../lib/oauth/secretDigest.ts'
import { SESSION_SECONDS, startSession } from '../../../lib/oauth/session/session.ts'
import { endListedSession } from '../../../lib/oauth/session/userSessions.ts'
import type { Stores } from '../dependencies/openStores.ts'
import { json, type WireAnswer } from '../http/apiGatewayAnswer.ts'
import { cookiesOf, splitTarget, type WireRequest } from '../http/apiGatewayEvent.ts'
import type { LocalInfo } from '../info.ts'
import { fileControls, localAnswer, localPage } from '../pages/localPage.ts'

interface SignInDeps {
  readonly info: Pick<LocalInfo, 'demo'>
  readonly stores: Pick<Stores, 'accounts' | 'sessions' | 'userSessions' | 'refreshTokens'>
  readonly clock: Clock
}

const roles = ['owner', 'billing_admin', 'member', 'stranger'] as const
const query = z.object({ as: z.enum(roles) })

/** The address that signs in as a demo user. */
export function signInAddress(role: (typeof roles)[number]): string {
  return `/_local/sign-in?as=${role}`
}

/** `GET /_local/sign-in?as=<role>`: ends the browser's session, signs in as a demo user, and opens the console. */
export function signInControls(
  deps: SignInDeps,
): Readonly<Record<string, (request: WireRequest) => Promise<WireAnswer>>> {
  return {
    'GET /_local/sign-in': (request) => signInAs(deps, request),
    ...fileControls('/_local/home/', import.meta.url, ['signIn.js']),
  }
}

async function signInAs({ info, stores, clock }: SignInDeps, request: WireRequest): Promise<WireAnswer> {
  const asked = query.safeParse(Object.fromEntries(new URLSearchParams(splitTarget(request.url).query)))
  if (!asked.success) return json(422, { detail: `Name a demo user: ${roles.map(signInAddress).join(', ')}` })
  const userId = userIdSchema.parse(info.demo[asked.data.as].id)
  const account = await stores.accounts.find(userId)
  if (account === undefined) return json(404, { detail: 'The demo user has been deleted' })
  await clock.sync()
  const before = readSessionCookie({ cookies: cookiesOf(request) })
  const replaces = before === undefined ? undefined : digestSecret(before)
  await endSession({ stores, clock }, replaces)
  const secret = await startSession(
    { ...stores, ids },
    {
      userId,
      securityRev: account.securityRev,
      authentication: { at: clock.now(), methods: byPassword },
      signedInFor: undefined,
      browser: undefined,
      replaces,
    },
  )
  const page = localAnswer(openingPage(info.demo[asked.data.as].username), 'text/html; charset=utf-8')
  return { ...page, headers: { ...page.headers, 'set-cookie': [sessionCookie(secret, SESSION_SECONDS)] } }
}

/** Ends the tokens that the console got in this session, too: it would go on as the user before. */
async function endSession(
  { stores, clock }: Omit<SignInDeps, 'info'>,
  cookie: ReturnType<typeof digestSecret> | undefined,
): Promise<void> {
  const session = cookie && (await stores.sessions.find(cookie))
  if (session === undefined) return
  // A developer's shortcut is no activity of the user.
  const activity = { record: async () => {} }
  await endListedSession({ ...stores, clock, activity }, session.userId, session.id, cookie)
}

/** Its script opens the console at the page that begins a sign-in, which the new session answers at once. */
function openingPage(username: string): string {
  return localPage({
    title: 'Sign in',
    path: '/_local/sign-in',
    scripts: ['/_local/home/signIn.js'],
    body: html`<h1>Signed in as ${username}</h1>
<p><a href="/_local/console/callback">Open the console</a></p>`,
  })
}
