import type { Member, Role } from '../app/types.ts'

/** Which members are shown, and in which order. */
export interface MemberFilter {
  /** A part of the name or of the address, in any case. */
  readonly search: string
  readonly role: Role | 'any'
  /** Known to owners only. */
  readonly factor: 'any' | 'with' | 'without'
  readonly sort: 'name' | 'role'
}

export const everyMember: MemberFilter = { search: '', role: 'any', factor: 'any', sort: 'name' }

const rank: Partial<Record<string, number>> = { owner: 0, billing_admin: 1, member: 2 }

const rankOf = ({ role }: Member) => rank[role] ?? Object.keys(rank).length

/**
 * The members that a filter leaves. The API answers all members at once, so nothing is missed.
 * @param compare which of two names comes first in the reader's language
 */
export function chooseMembers(
  members: readonly Member[],
  { search, role, factor, sort }: MemberFilter,
  compare: (a: string, b: string) => number,
): readonly Member[] {
  const wanted = search.trim().toLocaleLowerCase()
  const byName = (a: Member, b: Member) => compare(a.username ?? '', b.username ?? '')
  return members
    .filter(
      (member) =>
        (role === 'any' || member.role === role) &&
        (factor === 'any' || member.has_second_factor === (factor === 'with')) &&
        [member.username, member.email].some((text) => (text ?? '').toLocaleLowerCase().includes(wanted)),
    )
    .sort((a, b) => (sort === 'role' ? rankOf(a) - rankOf(b) : 0) || byName(a, b))
}
