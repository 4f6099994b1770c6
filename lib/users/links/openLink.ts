import type { Authenticators } from '../../authenticators/ports.ts'
import type { AccountDeps, LinkDeps } from '../deps.ts'
import type { Account, AccountLink, AccountLinkPurpose, PasswordProblem } from '../ports.ts'
import { digestToken, findLink } from './accountLinks.ts'
import { addedSince, type ResetOption, resetOptions } from './removableAuthenticators.ts'

/** The link of a page, from its query. */
interface LinkAddress {
  readonly purpose: AccountLinkPurpose
  readonly token: string
  /** Whether the user chooses a new password instead of entering the current password. */
  readonly choose: boolean
}

/** A valid link, and what its form asks for. */
export interface OpenedLink {
  readonly link: AccountLink
  readonly account: Account
  readonly asks: 'nothing' | 'current' | 'new'
  /** The authenticators of the account, for a reset; those that the link removes, if it undoes an addition; else none. */
  readonly authenticators: readonly ResetOption[]
}

export interface OpenLinkDeps extends LinkDeps {
  readonly authenticators: Authenticators
}

/** What is wrong with the password of a link's form. */
export type LinkPasswordProblem = PasswordProblem | 'password_missing' | 'wrong_password'

/**
 * Finds a link without using it. To verify an address, its holder must also know or set the account's password: anyone can register an
 * account with another person's address, who gets the mail and would verify it for them. So the form asks for the account's password or a
 * new password, except in the browser that registered the account.
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
  return { link: use.link, account, asks: passwordAsked(address, use.link, secret), authenticators }
}

async function listShown({ authenticators }: OpenLinkDeps, link: AccountLink): Promise<ResetOption[]> {
  if (link.purpose !== 'reset_password' && link.purpose !== 'undo_factor') return []
  const own = await authenticators.list(link.userId)
  return link.purpose === 'reset_password'
    ? resetOptions(own, link)
    : addedSince(own, link).map((one) => ({ ...one, isRemovable: true }))
}

const withoutPassword = ['change_email', 'undo_email_change', 'confirm_factor_reset', 'restore_account'] as const

function passwordAsked(
  { purpose, choose }: LinkAddress,
  link: AccountLink,
  secret: string | undefined,
): OpenedLink['asks'] {
  if (purpose === 'reset_password' || purpose === 'undo_factor') return 'new'
  if (withoutPassword.some((one) => one === purpose)) return 'nothing'
  if (choose) return 'new'
  return secret !== undefined && link.browser === digestToken(secret) ? 'nothing' : 'current'
}

/** Returns what is wrong with the current password, if the form of the opened link asks for it. A new password is judged when it is set. */
export async function currentPasswordProblem(
  { passwords }: Pick<AccountDeps, 'passwords'>,
  { asks, account }: OpenedLink,
  password: string,
): Promise<LinkPasswordProblem | undefined> {
  if (asks !== 'current') return undefined
  if (password === '') return 'password_missing'
  return (await passwords.check(password, account.passwordHash)).isRight ? undefined : 'wrong_password'
}
