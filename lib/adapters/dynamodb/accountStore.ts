import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb'
import * as z from 'zod/mini'
import { deletionSchema } from '../../core/deletion.ts'
import { organizationIdSchema, type UserId, userIdSchema } from '../../core/ids.ts'
import { emailKey } from '../../users/emailKey.ts'
import {
  type Account,
  type Accounts,
  type AuthenticatorRemoval,
  type FormerEmail,
  type LinkOutcome,
  type LinkUse,
  linkDigestSchema,
  type NewPassword,
} from '../../users/ports.ts'
import { consumeLink } from './accountLinkStore.ts'
import { authenticatorRemoval, keepsSecondFactor } from './authenticatorRemoval.ts'
import { atRevision, readCaller, whileLive } from './callerStore.ts'
import { userKey } from './keys.ts'
import { type Key, readItem } from './kit/readItems.ts'
import { type TransactItem, transactWrite } from './kit/transactWrite.ts'
import { emailItemKey, holdEmail, holdName, keepName, keepNames, userItem, usernameKey } from './userStore.ts'

const accountItem = z.extend(userItem, {
  passwordHash: z.optional(z.string()),
  securityRev: z._default(z.int(), 0),
  credentialsRev: z.optional(z.int()),
  previousPasswordSetAt: z.optional(z.int()),
  keptFamily: z.optional(z.string()),
  formerEmails: z._default(z.array(z.object({ change: linkDigestSchema, email: z.string(), validUntil: z.int() })), []),
  deletion: z.optional(
    z.extend(deletionSchema, {
      organizations: z.array(organizationIdSchema),
      left: z.exactOptional(z.array(organizationIdSchema)),
    }),
  ),
  promotions: z.optional(z.int()),
  hasSecondFactor: z.optional(z.boolean()),
  signInMails: z.optional(z.boolean()),
})

const emailItem = z.object({ userId: userIdSchema })

/** Read when no account has the email address, so that the answer takes as long as for an existing account. */
const absentUserKey = { pk: 'USER#', sk: 'USER' }

/** The account in a user’s item. */
export function toAccount(item: Record<string, unknown>): Account {
  const { passwordHash, securityRev, keptFamily, formerEmails, ...other } = accountItem.parse(item)
  const { deletion, promotions, hasSecondFactor, credentialsRev, previousPasswordSetAt, signInMails, ...user } = other
  const more = {
    ...(deletion && { deletion }),
    ...(promotions && { promotions }),
    ...(hasSecondFactor && { hasSecondFactor }),
    ...(credentialsRev && { credentialsRev }),
    ...(previousPasswordSetAt !== undefined && { previousPasswordSetAt }),
    ...(signInMails !== undefined && { signInMails }),
  }
  return { user, passwordHash, securityRev, keptFamily, formerEmails, ...more }
}

/** What to write to an account while it has this revision. */
interface AccountUpdate {
  userId: UserId
  securityRev: number
  /** Whether the account is being deleted, and so not active. */
  isBeingDeleted?: boolean
  set: Readonly<Record<string, unknown>>
  remove?: string
}

/**
 * Sets the name and the password of a registration, and verifies it: its holder has proven the address. Ends what was before. The name that
 * a stranger may have chosen is free again. `now` is Unix milliseconds.
 */
export function claimAccount(
  TableName: string,
  { account, username, passwordHash }: { account: Account; username: string; passwordHash: string },
  now: number,
) {
  const { user, securityRev } = account
  const { ConditionExpression, ExpressionAttributeValues } = whileLive({ securityRev })
  const claim = {
    Update: {
      TableName,
      Key: userKey(user.id),
      UpdateExpression:
        'SET username = :name, passwordHash = :hash, securityRev = :next, isVerified = :true REMOVE keptFamily, expiresAt',
      ConditionExpression: `email = :email AND isVerified = :false AND ${ConditionExpression}`,
      ExpressionAttributeValues: {
        ...ExpressionAttributeValues,
        ':hash': passwordHash,
        ':name': username,
        ':next': securityRev + 1,
        ':email': user.email,
        ':false': false,
      },
    },
  }
  if (usernameKey(username).pk === usernameKey(user.username).pk) {
    return { user: claim, names: keepNames(TableName, user) }
  }
  const isTheirs = { ConditionExpression: 'userId = :userId', ExpressionAttributeValues: { ':userId': user.id } }
  return {
    user: claim,
    username: holdName(TableName, { username, email: user.email, createdAt: now }, { userId: user.id }),
    formerName: { Delete: { TableName, Key: usernameKey(user.username), ...isTheirs } },
    names: [keepName(TableName, emailItemKey(emailKey(user.email)), user.id)],
  }
}

/** A condition on a user's item. */
interface UserCondition {
  readonly ConditionExpression: string
  readonly ExpressionAttributeValues?: Readonly<Record<string, unknown>>
}

const notDeleting: UserCondition = { ConditionExpression: 'attribute_exists(pk) AND attribute_not_exists(deletion)' }

/**
 * Counts that a user is made an owner: a deletion of the account that was decided on before is then decided again (`asOftenPromoted`).
 * @param condition excludes an account that is being deleted, as `whileLive` does
 */
export function admitOwner(TableName: string, userId: UserId, condition = notDeleting): TransactItem {
  return {
    Update: {
      TableName,
      Key: userKey(userId),
      UpdateExpression: 'ADD promotions :one',
      ...condition,
      ExpressionAttributeValues: { ...condition.ExpressionAttributeValues, ':one': 1 },
    },
  }
}

/** Passes only while the user was not made an owner since the account was read. */
export function asOftenPromoted({ promotions }: Pick<Account, 'promotions'>) {
  if (promotions === undefined) return { condition: 'attribute_not_exists(promotions)', values: {} }
  return { condition: 'promotions = :promotions', values: { ':promotions': promotions } }
}

/** Passes only while the account is at its revision and being deleted, and its erasure has not begun. */
function whileRestorable({ securityRev }: Pick<Account, 'securityRev'>) {
  const isDeleting = 'attribute_exists(deletion) AND attribute_not_exists(deletion.erasingSince)'
  return {
    ConditionExpression: `${isDeleting} AND (${atRevision(securityRev).join(' OR ')})`,
    ExpressionAttributeValues: { ':rev': securityRev },
  }
}

/** Writes `set`, and the next revision, which ends every grant but the family that is kept. A registration is an account from then on. */
function endingGrants(
  securityRev: number,
  set: AccountUpdate['set'],
  keptFamily: string | undefined,
): Pick<AccountUpdate, 'set' | 'remove'> {
  const next = { ...set, securityRev: securityRev + 1 }
  return keptFamily === undefined
    ? { set: next, remove: 'keptFamily, expiresAt' }
    : { set: { ...next, keptFamily }, remove: 'expiresAt' }
}

/** Accounts by id and by email address, in the table `accounts`. */
export function createAccounts(client: DynamoDBDocumentClient, TableName: string): Accounts {
  const read = (key: Key) => readItem(client, TableName, key)

  function update({ userId, securityRev, isBeingDeleted, set, remove }: AccountUpdate): TransactItem {
    const at = isBeingDeleted ? whileRestorable : whileLive
    const { ConditionExpression, ExpressionAttributeValues } = at({ securityRev })
    const names = Object.keys(set)
    const values = Object.fromEntries(names.map((name) => [`:${name}`, set[name]]))
    // With the password or the address, a request to remove lost factors becomes void.
    const isNewCredential = names.some((name) => name === 'passwordHash' || name === 'email')
    const counting = isNewCredential ? ', credentialsRev = if_not_exists(credentialsRev, :none) + :one' : ''
    // The first password is as old as the user.
    const noting = names.includes('passwordSetAt')
      ? ', previousPasswordSetAt = if_not_exists(passwordSetAt, createdAt)'
      : ''
    return {
      Update: {
        TableName,
        Key: userKey(userId),
        UpdateExpression: `SET ${names.map((name) => `${name} = :${name}`).join(', ')}${counting}${noting}${remove ? ` REMOVE ${remove}` : ''}`,
        ConditionExpression,
        ExpressionAttributeValues: {
          ...ExpressionAttributeValues,
          ...values,
          ...(isNewCredential && { ':none': 0, ':one': 1 }),
        },
      },
    }
  }

  function newPassword(userId: UserId, securityRev: number, to: NewPassword, isVerified?: true): AccountUpdate {
    const { passwordHash, keptFamily, setAt } = to
    const set = {
      passwordHash,
      ...(setAt !== undefined && { passwordSetAt: setAt }),
      ...(isVerified && { isVerified }),
    }
    return { userId, securityRev, ...endingGrants(securityRev, set, keptFamily) }
  }

  /** Uses the link and applies its effect in one transaction. */
  async function withLink(use: LinkUse, effect: Pick<AccountUpdate, 'set' | 'remove'>): Promise<LinkOutcome> {
    const { userId, securityRev } = use.link
    const result = await transactWrite(client, {
      link: consumeLink(TableName, use),
      account: update({ userId, securityRev, ...effect }),
      names: use.user.isVerified ? undefined : keepNames(TableName, use.user),
    })
    return result.kind === 'written' ? 'done' : 'link_invalid'
  }

  /** Uses the link, sets the password and removes authenticators. */
  function setPassword(
    use: LinkUse,
    to: NewPassword,
    { securityRev, removal }: { securityRev: number; removal: AuthenticatorRemoval | undefined },
  ) {
    const { userId } = use.link
    const { set, ...effect } = newPassword(userId, securityRev, to, true)
    const mark = removal && { hasSecondFactor: keepsSecondFactor(removal) }
    return transactWrite(client, {
      link: consumeLink(TableName, use),
      account: update({ ...effect, set: { ...set, ...mark } }),
      names: use.user.isVerified ? undefined : keepNames(TableName, use.user),
      authenticators: removal && authenticatorRemoval(TableName, userId, removal),
    })
  }

  /** Uses the link and gives the account its email address: the items of one transaction. */
  function moveTo(
    use: LinkUse,
    to: { securityRev: number; formerEmails: readonly FormerEmail[]; keptFamily?: string | undefined },
  ) {
    const { securityRev, formerEmails, keptFamily } = to
    const { userId, email } = use.link
    const [oldKey, newKey] = [emailKey(use.user.email), emailKey(email)]
    const ending = endingGrants(securityRev, { email, isVerified: true, formerEmails }, keptFamily)
    const isSame = oldKey === newKey
    return {
      link: consumeLink(TableName, use),
      account: update({ userId, securityRev, isBeingDeleted: !use.user.isActive, ...ending }),
      email: isSame ? undefined : holdEmail(TableName, newKey, userId),
      formerEmail: isSame ? undefined : { Delete: { TableName, Key: emailItemKey(oldKey) } },
    }
  }

  return {
    async find(userId) {
      const item = await read(userKey(userId))
      return item && toAccount(item)
    },

    async findCaller(caller) {
      return toAccount(await readCaller(client, TableName, caller))
    },

    async findByEmail(key) {
      const holder = z.optional(emailItem).parse(await read(emailItemKey(key)))
      const item = await read(holder === undefined ? absentUserKey : userKey(holder.userId))
      const account = item && toAccount(item)
      return account && emailKey(account.user.email) === key ? account : undefined
    },

    async rehash(userId, { from, to }) {
      await transactWrite(client, {
        account: {
          Update: {
            TableName,
            Key: userKey(userId),
            UpdateExpression: 'SET passwordHash = :to',
            ConditionExpression: 'passwordHash = :from',
            ExpressionAttributeValues: { ':from': from, ':to': to },
          },
        },
      })
    },

    async changePassword({ user, securityRev }, to) {
      const result = await transactWrite(client, { account: update(newPassword(user.id, securityRev, to)) })
      return result.kind === 'written' ? 'changed' : 'conflict'
    },

    async endGrants({ user, securityRev }) {
      const ending = endingGrants(securityRev, {}, undefined)
      const result = await transactWrite(client, { account: update({ userId: user.id, securityRev, ...ending }) })
      return result.kind === 'written' ? 'ended' : 'conflict'
    },

    verifyEmail: (use) => withLink(use, { set: { isVerified: true }, remove: 'expiresAt' }),

    async resetPassword(use, to, removal) {
      const result = await setPassword(use, to, { securityRev: use.link.securityRev, removal })
      if (result.kind === 'written') return 'done'
      return result.failed.has('link') || result.failed.has('account') ? 'link_invalid' : 'conflict'
    },

    async undoFactor(use, to, account) {
      const result = await setPassword(use, to, account)
      if (result.kind === 'written') return 'done'
      return result.failed.has('link') ? 'link_invalid' : 'conflict'
    },

    async changeEmail(use, formerEmails) {
      const { securityRev, familyId } = use.link
      const result = await transactWrite(client, moveTo(use, { securityRev, formerEmails, keptFamily: familyId }))
      if (result.kind === 'written') return 'done'
      return result.failed.has('link') || result.failed.has('account') ? 'link_invalid' : 'email_taken'
    },

    async undoEmailChange(use, { securityRev, formerEmails }) {
      const result = await transactWrite(client, moveTo(use, { securityRev, formerEmails }))
      if (result.kind === 'written') return 'done'
      if (result.failed.has('link')) return 'link_invalid'
      return result.failed.has('account') ? 'conflict' : 'email_taken'
    },
  }
}
