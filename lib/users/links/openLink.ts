import type { AccountDeps, LinkDeps } from '../deps.ts'
import type { Account, AccountLink, AccountLinkPurpose, PasswordProblem } from '../ports.ts'
import { digestToken, findLink } from './accountLinks.ts'

/** A link as its page names it. */
interface LinkAddress {
  readonly purpose: AccountLinkPurpose
  readonly token: string
  /** Whether the user chooses a new password instead of entering the account's. */
  readonly choose: boolean
}

/** A link that works, and which password its form asks for. */
export interface OpenedLink {
  readonly link: AccountLink
  readonly account: Account
  readonly asks: 'nothing' | 'current' | 'new'
}

/** What is wrong with the password of a link's form. */
export type LinkPasswordProblem = PasswordProblem | 'password_missing' | 'wrong_password'

/**
 * Finds a link without using it. An address is verified only together with a password that its holder chose: anybody can register an
 * account with the address of another, who gets the mail and would make it theirs. So the form asks for the account's password, or a
 * new one, except in the browser that registered the account.
 * @param secret in the cookie of the browser that the link is opened in
 * @throws LinkInvalidError; CommonError `service_unavailable`
 */
export async function openLink(deps: LinkDeps, address: LinkAddress, secret: string | undefined): Promise<OpenedLink> {
  const { use, account } = await findLink(deps, address)
  return { link: use.link, account, asks: passwordAsked(address, use.link, secret) }
}

function passwordAsked(
  { purpose, choose }: LinkAddress,
  link: AccountLink,
  secret: string | undefined,
): OpenedLink['asks'] {
  if (purpose === 'reset_password') return 'new'
  if (purpose === 'change_email' || purpose === 'undo_email_change' || purpose === 'restore_account') return 'nothing'
  if (choose) return 'new'
  return secret !== undefined && link.browser === digestToken(secret) ? 'nothing' : 'current'
}

/** What is wrong with the account's own password, where the form of an opened link asks for it. A new one is judged where it is set. */
export async function currentPasswordProblem(
  { passwords }: Pick<AccountDeps, 'passwords'>,
  { asks, account }: OpenedLink,
  password: string,
): Promise<LinkPasswordProblem | undefined> {
  if (asks !== 'current') return undefined
  if (password === '') return 'password_missing'
  return (await passwords.check(password, account.passwordHash)).isRight ? undefined : 'wrong_password'
}
