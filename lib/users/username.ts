import * as z from 'zod/mini'

const usernamePattern = /^[A-Za-z0-9](?:[A-Za-z0-9._-]{1,30}[A-Za-z0-9])$/

/** 3 to 32 letters, digits, dots, underscores and hyphens, starting and ending with a letter or digit. */
export const usernameSchema = z.string().check(z.minLength(3), z.maxLength(32), z.regex(usernamePattern))

/** Names that users could mistake for the operator, a role or a part of the service. */
const reserved = [
  'abuse',
  'account',
  'accounts',
  'admin',
  'administrator',
  'admins',
  'api',
  'auth',
  'billing',
  'console',
  'contact',
  'customer-service',
  'finance',
  'help',
  'helpdesk',
  'hostmaster',
  'info',
  'invoice',
  'invoices',
  'legal',
  'mail',
  'mailer-daemon',
  'moderator',
  'no-reply',
  'noc',
  'oauth',
  'official',
  'operator',
  'owner',
  'payment',
  'payments',
  'postmaster',
  'privacy',
  'root',
  'sales',
  'security',
  'service',
  'staff',
  'superuser',
  'support',
  'sysadmin',
  'system',
  'team',
  'undefined',
  'webmaster',
  'www',
] as const

/**
 * A name as people see it at a glance: without case, dots, hyphens and underscores, and with one letter for each group of lookalikes that
 * usernames can contain (UTS #39 §4: `0` and `o`; `1`, `i` and `l`; `rn` and `m`; `vv` and `w`).
 */
function skeleton(name: string): string {
  return name
    .toLowerCase()
    .replaceAll(/[._-]/g, '')
    .replaceAll('0', 'o')
    .replaceAll(/[1i]/g, 'l')
    .replaceAll('rn', 'm')
    .replaceAll('vv', 'w')
}

const skeletons: ReadonlySet<string> = new Set(reserved.map(skeleton))

/** Reserved also as a part of a name, as in `acme-support` or `BillingTeam`. */
const reservedParts = ['admin', 'billing', 'official', 'security', 'support', 'team'] as const

/**
 * Whether a name is reserved for its meaning, as a whole or by a part that names the service or who runs it. It is answered like a taken
 * name. Parts begin at separators and capitals: a `steamboat` is no team.
 */
export function isReservedUsername(username: string, serviceName: string): boolean {
  if (skeletons.has(skeleton(username))) return true
  const service = skeleton(serviceName.replaceAll(/[^A-Za-z0-9]/g, ''))
  const words = [...reservedParts.map(skeleton), ...(service === '' ? [] : [service])]
  const parts = username.split(/[._-]+|(?<=[a-z0-9])(?=[A-Z])/)
  const madeOfWords = new RegExp(`^(?:${words.join('|')})+$`)
  // A service's name may have several words: it is looked for in the parts that follow each other, too.
  return parts.some((_, from) =>
    parts.slice(from).some((_, length) => {
      const text = parts.slice(from, from + length + 1).join('')
      return madeOfWords.test(skeleton(text)) || madeOfWords.test(skeleton(text.replace(/\d+$/, '')))
    }),
  )
}
