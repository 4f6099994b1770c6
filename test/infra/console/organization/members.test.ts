import { describe, expect, it } from '@jest/globals'
import type { Member } from '../../../../infra/console/src/app/types.ts'
import { chooseMembers, everyMember, type MemberFilter } from '../../../../infra/console/src/members/memberList.ts'
import { english } from '../localization.ts'

const members: readonly Member[] = [
  { user_id: '1', username: 'zoe', email: 'zoe@acme.example', role: 'owner', has_second_factor: true },
  { user_id: '2', username: 'Ärmin', email: 'a@acme.example', role: 'member', has_second_factor: false },
  { user_id: '3', username: null, email: null, role: 'member', has_second_factor: null },
  { user_id: '4', username: 'bea', email: 'BEA@harbor.example', role: 'billing_admin', has_second_factor: false },
]
const shown = (filter: Partial<MemberFilter>) =>
  chooseMembers(members, { ...everyMember, ...filter }, english.format.compare).map(({ user_id }) => user_id)

describe('The list of members', () => {
  it('is sorted by name as the reader’s language sorts, or by role and then by name', () => {
    expect(shown({})).toEqual(['3', '2', '4', '1'])
    expect(shown({ sort: 'role' })).toEqual(['1', '4', '3', '2'])
  })

  it('finds a part of a name or an address in any case', () => {
    expect(shown({ search: ' ÄRM ' })).toEqual(['2'])
    expect(shown({ search: 'harbor' })).toEqual(['4'])
    expect(shown({ search: 'nobody' })).toEqual([])
  })

  it('is filtered by role and by second factor, and no one without a known factor is in either', () => {
    expect(shown({ role: 'member' })).toEqual(['3', '2'])
    expect(shown({ factor: 'with' })).toEqual(['1'])
    expect(shown({ factor: 'without' })).toEqual(['2', '4'])
    expect(shown({ factor: 'without', role: 'member' })).toEqual(['2'])
  })
})
