import type { Authenticators } from '../../authenticators/ports.ts'
import type { UserId } from '../../core/ids.ts'
import type { LinkDeps } from '../deps.ts'
import { countGuess, type GuessDeps } from '../guess.ts'
import type { Account, AccountLink, AccountLinkPurpose, LinkDigest, PasswordProblem, Passwords } from '../ports.ts'
import { digestToken, findLink } from './accountLinks.ts'
import { addedSince, type ResetOption, resetOptions } from './removableAuthenticators.ts'

export interface OpenLinkDeps extends LinkDeps {
  readonly authenticators: Authenticators
  /** Whether the browser with this cookie is signed in with the session in which a client got the family of tokens. */
  readonly browserHoldsFamily: (browser: {
    readonly secret: string
    readonly userId: UserId
    readonly familyId: string
  }) => Promise<boolean>
}

/** The link of a page, from its query. */
interface LinkAddress {
  readonly purpose: AccountLinkPurpose
  readonly token: string
  /** Whether the user chooses a new password instead of entering the current password. */
  readonly choose: boolean
}

/** A valid link, and what its form asks for. */
export interface OpenedLink {
  readonly digest: LinkDigest
  readonly link: AccountLink
  readonly account: Account
  readonly asks: 'nothing' | 'current' | 'new'
  /** The authenticators of the account, for a reset; those that the link removes, if it undoes an addition; else none. */
  readonly authenticators: readonly ResetOption[]
}

/** What is wrong with the password of a link's form. */
export type LinkPasswordProblem = PasswordProblem | 'password_missing' | 'wrong_password'

/**
 * Finds a link without using it. To verify an address, its holder must also know or set the account's password: anyone can register an
 * account with another person's address, who gets the mail and would verify it for them. So the form asks for the account's password or a
 * new password, except in the browser that registered the account. A new address may be mistyped, and its mail then reaches a stranger: the form
 * asks for the account's password, except in the browser session that asked for the change.
 * @param secret from the cookie of the browser that opens the link
 * @throws LinkInvalidError; CommonError `service_unavailable`
 */
export async function openLink(
  deps: OpenLinkDeps,
  address: LinkAddress,
  secret: string | undefined,
): Promise<OpenedLink> {
  const { use, account } = await findLink(deps, address)
  const authenticators = await listShown(deps, use.link)
  const asks = await passwordAsked(deps, address, use.link, secret)
  return { digest: use.digest, link: use.link, account, asks, authenticators }
}

async function listShown({ authenticators }: OpenLinkDeps, link: AccountLink): Promise<ResetOption[]> {
  if (link.purpose !== 'reset_password' && link.purpose !== 'undo_factor') return []
  const own = await authenticators.list(link.userId)
  return link.purpose === 'reset_password'
    ? resetOptions(own, link)
    : addedSince(own, link).map((one) => ({ ...one, isRemovable: true }))
}

const withoutPassword = ['undo_email_change', 'confirm_factor_reset', 'restore_account'] as const

async function passwordAsked(
  { browserHoldsFamily }: OpenLinkDeps,
  { purpose, choose }: LinkAddress,
  link: AccountLink,
  secret: string | undefined,
): Promise<OpenedLink['asks']> {
  if (purpose === 'reset_password' || purpose === 'undo_factor') return 'new'
  if (withoutPassword.some((one) => one === purpose)) return 'nothing'
  if (purpose === 'change_email') {
    const { userId, familyId } = link
    if (secret === undefined || familyId === undefined) return 'current'
    return (await browserHoldsFamily({ secret, userId, familyId })) ? 'nothing' : 'current'
  }
  if (choose) return 'new'
  return secret !== undefined && link.browser === digestToken(secret) ? 'nothing' : 'current'
}

/**
 * Returns what is wrong with the current password, if the form of the opened link asks for it. A new password is judged when it is set.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function currentPasswordProblem(
  deps: LinkPasswordDeps,
  { asks, ...opened }: OpenedLink,
  password: string,
): Promise<LinkPasswordProblem | undefined> {
  if (asks !== 'current') return undefined
  if (password === '') return 'password_missing'
  return (await isLinkPassword(deps, opened, password)) ? undefined : 'wrong_password'
}

export interface LinkPasswordDeps extends GuessDeps {
  readonly passwords: Pick<Passwords, 'check'>
}

/**
 * Whether it is the password of the link's account. Tries count for the link alone: its holder may be a stranger, who must neither guess the
 * password nor use up the tries of its owner.
 * @throws TooManyAttemptsError; CommonError `service_unavailable`
 */
export async function isLinkPassword(
  deps: LinkPasswordDeps,
  { digest, account }: Pick<OpenedLink, 'digest' | 'account'>,
  password: string,
): Promise<boolean> {
  const tries = [{ kind: 'link', subject: digest }] as const
  const at = await countGuess(deps, tries)
  const { isRight } = await deps.passwords.check(password, account.passwordHash)
  if (isRight) await deps.guesses.takeBack({ tries, at })
  return isRight
}
