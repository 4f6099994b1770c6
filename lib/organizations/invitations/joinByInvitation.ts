import type { Branding } from '../../core/branding.ts'
import { FIRST_REVISION } from '../../core/grant.ts'
import { userIdSchema } from '../../core/ids.ts'
import type { CheckPassword, LoginProblem } from '../../signIn/ports.ts'
import type {
  Account,
  AccountFormProblems,
  KnownBrowserCookie,
  Passwords,
  ProvenUser,
  User,
} from '../../users/ports.ts'
import { isReservedUsername } from '../../users/username.ts'
import { entryBy } from '../auditEntry.ts'
import { requireMembership } from '../authorizeMember.ts'
import type { Joiner, OwnOrganization } from '../ports.ts'
import { retryOnConflict } from '../retryOnConflict.ts'
import { type AcceptDeps, acceptInvitation, notifyOfJoin } from './acceptInvitation.ts'
import {
  joinKindOf,
  joinStepOf,
  type OpenInvitation,
  type ReadInvitationDeps,
  readInvitation,
} from './readInvitation.ts'

/** Dependencies of joining on the page of an invitation. */
export interface JoinDeps extends AcceptDeps, ReadInvitationDeps {
  readonly invitations: AcceptDeps['invitations']
  readonly users: ReadInvitationDeps['users'] & AcceptDeps['users']
  readonly clock: ReadInvitationDeps['clock']
  readonly passwords: Passwords
  readonly checkPassword: CheckPassword
  /** The cookie of the browser that sent this cookie, once it has signed in to the account with this address. */
  readonly rememberBrowser: (cookie: string | undefined, email: string) => Promise<KnownBrowserCookie>
  readonly branding: Branding
}

/** A form of the invitation page. */
interface JoinForm {
  readonly token: string
  readonly username: string
  readonly password: string
  readonly sourceIp: string
  /** The cookie of a browser that has signed in before, as it was sent. */
  readonly knownBrowser: string | undefined
  /** Checks the username and the password; called only if the form creates an account. */
  readonly problemsOf: (person: {
    readonly email: string
    readonly username: string
    readonly organization: string
  }) => Promise<Problems>
}

type Problems = Pick<AccountFormProblems, 'username' | 'password'>

/** The member who joined by a password, and can be signed in with it. */
interface JoinedUser extends ProvenUser {
  /** Whether this form has set the password. */
  readonly isNewPassword: boolean
}

/**
 * The outcome of a form. In all cases but `joined` nothing was changed, and the page is shown again. `closed`: the invitation can no longer be
 * accepted.
 */
export type JoinOutcome =
  | { readonly outcome: 'joined'; readonly own: OwnOrganization; readonly provenUser: JoinedUser }
  | { readonly outcome: 'closed' }
  | { readonly outcome: 'invalid' | 'username_taken'; readonly problems: Problems }
  | { readonly outcome: 'sign_in_refused'; readonly problem: LoginProblem }

/**
 * Makes the holder of an invitation's token a member: by signing in with the account of the invited address, with a new account, or with a
 * new name and password for an account that was never verified, because a stranger may have chosen both. The token verifies the account. A
 * new account, its verification, the membership and the use of the token are a single transaction, so a crash cannot separate them. Safe to
 * repeat with the same password.
 * @throws OrganizationError `invitation_invalid`, `already_member`; CommonError `service_unavailable`
 */
export function joinByInvitation(deps: JoinDeps, form: JoinForm): Promise<JoinOutcome> {
  let passwordHash: Promise<string> | undefined
  return retryOnConflict(async () => {
    const view = await readInvitation(deps, form.token)
    if (view.state === 'used' && view.account !== undefined) return joinByPassword(deps, form, view.account)
    if (view.state !== 'open') return { outcome: 'closed' }
    const kind = joinKindOf(view.account)
    if (view.account !== undefined && kind === 'sign_in') return joinByPassword(deps, form, view.account)
    const { username, password } = await form.problemsOf(personOf(view, form))
    const problems = { ...(username && { username }), ...(password && { password }) }
    if (Object.keys(problems).length > 0) return { outcome: 'invalid', problems }
    if (isReservedUsername(form.username, deps.branding.name)) return usernameTaken
    passwordHash ??= deps.passwords.hash(form.password)
    return joinWith(deps, view, newMember(deps, form, view, await passwordHash), form.knownBrowser)
  })
}

const usernameTaken = { outcome: 'username_taken', problems: { username: 'username_taken' } } as const

async function joinByPassword(
  deps: JoinDeps,
  { token, password, sourceIp, knownBrowser }: JoinForm,
  { user: { email } }: Account,
): Promise<JoinOutcome> {
  const signedIn = await deps.checkPassword({ email, password, sourceIp, knownBrowser })
  if (signedIn.kind === 'refused') return { outcome: 'sign_in_refused', problem: signedIn.problem }
  const { id, securityRev } = signedIn
  const own = await acceptInvitation(deps, { caller: { userId: id, securityRev }, token })
  const user = { id, email, securityRev }
  return { outcome: 'joined', own, provenUser: { user, knownBrowser: signedIn.knownBrowser, isNewPassword: false } }
}

/**
 * Makes the visitor a member whose session is that of the invited address; it asks for nothing more. `closed` if no one or another user is
 * signed in by now.
 * @throws OrganizationError `invitation_invalid`, `already_member`; CommonError `service_unavailable`
 */
export async function joinSignedIn(
  deps: AcceptDeps & ReadInvitationDeps & Pick<JoinDeps, 'invitations' | 'users' | 'clock'>,
  { token, visitor }: { token: string; visitor: SessionUser | undefined },
): Promise<{ outcome: 'joined'; own: OwnOrganization } | { outcome: 'closed' }> {
  const view = await readInvitation(deps, token)
  if (view.state !== 'open' && view.state !== 'used') return { outcome: 'closed' }
  if (visitor === undefined || joinStepOf(view.account, visitor.user) !== 'accept') return { outcome: 'closed' }
  const caller = { userId: visitor.user.id, securityRev: visitor.securityRev }
  return { outcome: 'joined', own: await acceptInvitation(deps, { caller, token }) }
}

/** The user of a live session. */
interface SessionUser {
  readonly user: User
  readonly securityRev: number
}

function personOf({ invitation, organization }: OpenInvitation, { username }: JoinForm) {
  return { email: invitation.email, username, organization: organization.name }
}

/** The new member's account: a new account, or the unverified account, which becomes theirs. */
function newMember(
  { ids, clock }: JoinDeps,
  { username }: { username: string },
  { account, invitation }: OpenInvitation,
  passwordHash: string,
): Extract<Joiner, { passwordHash: string }> {
  if (account !== undefined) return { kind: 'claim', account, username, passwordHash }
  const user = {
    id: userIdSchema.parse(ids.uuid()),
    email: invitation.email,
    username,
    isActive: true,
    isVerified: true,
    isSuperuser: false,
    createdAt: clock.now(),
  }
  return { kind: 'register', user, passwordHash }
}

async function joinWith(
  deps: JoinDeps,
  { invitation, organization }: OpenInvitation,
  joiner: Extract<Joiner, { passwordHash: string }>,
  cookie: string | undefined,
): Promise<JoinOutcome | 'conflict'> {
  const { user, securityRev } =
    joiner.kind === 'claim'
      ? { user: joiner.account.user, securityRev: joiner.account.securityRev + 1 }
      : { user: joiner.user, securityRev: FIRST_REVISION }
  const { id: userId, email } = user
  const { organizationId, role } = invitation
  const joined = { action: 'member.joined', target: userId, detail: { role } } as const
  const entry = entryBy(deps, { organizationId, caller: { userId } }, joined)
  const outcome = await deps.invitations.accept(invitation, joiner, { now: deps.clock.now(), entry })
  if (outcome === 'username_taken') return usernameTaken
  if (outcome === 'conflict') return outcome
  const own = requireMembership({ organization, roleOf: () => role }, userId)
  await notifyOfJoin(deps, { ...own, member: userId, invitedBy: invitation.invitedBy })
  const knownBrowser = await deps.rememberBrowser(cookie, email)
  return {
    outcome: 'joined',
    own,
    provenUser: { user: { id: userId, email, securityRev }, knownBrowser, isNewPassword: true },
  }
}
