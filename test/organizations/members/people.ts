import { randomUUID } from 'node:crypto'
import { expect } from '@jest/globals'
import * as z from 'zod'
import { userKey } from '../../../lib/adapters/dynamodb/keys.ts'
import { createOrganizationSeed } from '../../../lib/adapters/dynamodb/organizationSeed.ts'
import { createUsers } from '../../../lib/adapters/dynamodb/userStore.ts'
import { type OrganizationId, organizationIdSchema, type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import type { EventDraft } from '../../../lib/events/event.ts'
import type { Role } from '../../../lib/organizations/ports.ts'
import type { BillingStack } from '../../support/billingStack.ts'
import { maskRequestId } from '../../support/errorBody.ts'
import { setAttributes } from '../../support/setAttributes.ts'
import { stableHeaders } from '../../support/stableHeaders.ts'

export interface Answer {
  status: number
  /** The raw body without the request's id; empty for a 204. */
  text: string
  body: unknown
  /** Without those that differ from one request to the next. */
  headers: Record<string, string>
}

/** A signed-in user, and a way to call the API as them. */
export interface Person {
  readonly id: UserId
  readonly email: string
  readonly username: string
  call(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<Answer>
  /** Gets another access token, after the first one expired. */
  signIn(): Promise<void>
}

const created = z.object({ id: organizationIdSchema })
const mails = z.array(z.object({ to: z.string(), subject: z.string(), text: z.string() }))

/** Creates users and organizations for each test. */
export function peopleOf(bed: { readonly stack: BillingStack }) {
  const tables = () => bed.stack.client.info.tables

  async function tokenOf(userId: UserId): Promise<string> {
    const { client } = bed.stack
    const { body } = await client.send({
      method: 'POST',
      path: '/_local/authorization-codes',
      body: { user_id: userId, redirect_uri: client.info.demo.redirect_uri },
    })
    return (await client.exchange(z.object({ code: z.string() }).parse(body).code)).access_token
  }

  /** Calls the API with a token. */
  const callWith =
    (token: string): Person['call'] =>
    async (method, path, body, sent) => {
      const response = await fetch(bed.stack.client.info.base_url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', ...sent },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      const text = maskRequestId(await response.text())
      const headers = stableHeaders(response)
      return { status: response.status, text, body: text === '' ? undefined : JSON.parse(text), headers }
    }

  /** A new user, by default with a verified email address. */
  async function person(options: { email?: string; isVerified?: boolean } = {}): Promise<Person> {
    const id = userIdSchema.parse(randomUUID())
    const username = `u-${id.slice(0, 13)}`
    const { email = `${username}@example.com`, isVerified = true } = options
    const flags = { isActive: true, isVerified, isSuperuser: false }
    await createUsers(bed.stack.documents, tables().accounts).create({
      id,
      email,
      username,
      createdAt: Date.UTC(2026, 0, 15),
      ...flags,
    })
    let token = await tokenOf(id)
    return {
      id,
      email,
      username,
      async signIn() {
        token = await tokenOf(id)
      },
      call: (...request) => callWith(token)(...request),
    }
  }

  const people = (count: number) => Promise.all(Array.from({ length: count }, () => person()))

  /** Creates an organization through the API. */
  async function organizationOf(owner: Person, name = 'Acme'): Promise<OrganizationId> {
    const { status, body } = await owner.call('POST', '/api/organizations', { name })
    expect(status).toBe(201)
    return created.parse(body).id
  }

  /** An organization with one person in each role. */
  async function team() {
    const [owner, billingAdmin, member, stranger] = await Promise.all([person(), person(), person(), person()])
    const id = await organizationOf(owner)
    await setRole(id, billingAdmin, 'billing_admin')
    await setRole(id, member, 'member')
    return { id, path: `/api/organizations/${id}`, owner, billing_admin: billingAdmin, member, stranger }
  }

  const setRole = (id: OrganizationId, { id: userId }: Pick<Person, 'id'>, role: Role) =>
    createOrganizationSeed(bed.stack.documents, tables().billing).setMembership(id, userId, role)

  /** Deactivates a user, as support would. */
  const switchOff = ({ id }: Pick<Person, 'id'>) =>
    setAttributes(bed.stack.documents, tables().accounts, userKey(id), { isActive: false })

  /** As the transaction that adds or removes a passkey or TOTP does. */
  const setSecondFactor = ({ id }: Pick<Person, 'id'>, hasSecondFactor: boolean) =>
    setAttributes(bed.stack.documents, tables().accounts, userKey(id), { hasSecondFactor })

  /** The stored state of an organization: its count of owners, and the roles of its members. */
  async function stored(id: OrganizationId) {
    const items = (await bed.stack.items()).filter(({ pk }) => pk === `ORG#${id}`)
    const roles = items.filter(({ sk }) => String(sk).startsWith('MEMBER#'))
    return {
      name: items.find(({ sk }) => sk === 'ACCOUNT')?.name,
      owners: items.find(({ sk }) => sk === 'ACCOUNT')?.owners,
      roles: Object.fromEntries(roles.map(({ userId, role }) => [String(userId), role])),
    }
  }

  /** Expects the stored count of owners to match the memberships. */
  async function expectOwners(id: OrganizationId, owners: number): Promise<void> {
    const found = await stored(id)
    expect(Object.values(found.roles).filter((role) => role === 'owner')).toHaveLength(owners)
    expect(found.owners).toBe(owners)
  }

  /** Expects the events that wait to tell each change of a role since then, once, and nothing else of members. */
  async function expectTold(id: OrganizationId, { roles: before }: Awaited<ReturnType<typeof stored>>): Promise<void> {
    const events = await bed.stack.outbox(id)
    const told = events.filter(({ type }) => type.startsWith('member.'))
    const { roles: after } = await stored(id)
    const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((userId) => {
      const [from, to] = [before[userId], after[userId]]
      if (from === to) return []
      const type = from === undefined ? 'member.added' : to === undefined ? 'member.removed' : 'member.role_changed'
      return [{ type, data: { user_id: userId, role: to ?? from } } as const]
    })
    const toText = ({ type, data }: Pick<EventDraft, 'type' | 'data'>) => `${type} ${data.user_id} ${data.role}`
    expect(told.map(toText).sort()).toEqual(changed.map(toText).sort())
  }

  /** The mails to an address, the newest first. */
  async function mailsTo(email: string) {
    const response = await fetch(`${bed.stack.client.info.base_url}/_local/mail.json`)
    return mails.parse(await response.json()).filter(({ to }) => to.toLowerCase() === email.toLowerCase())
  }

  /** The token in the last mail to an address. */
  async function tokenMailedTo(email: string): Promise<string> {
    const [last] = await mailsTo(email)
    const link = /https?:\S+\/api\/auth\/link\S+/.exec(last?.text ?? '')?.[0]
    const token = link && new URL(link).searchParams.get('token')
    if (!token) throw new Error(`no mail with a link to ${email}`)
    return token
  }

  return {
    person,
    people,
    organizationOf,
    team,
    setRole,
    switchOff,
    setSecondFactor,
    callWith,
    stored,
    expectOwners,
    expectTold,
    mailsTo,
    tokenMailedTo,
  }
}
