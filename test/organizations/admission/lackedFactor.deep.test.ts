import { PutCommand } from '@aws-sdk/lib-dynamodb'
import { beforeAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { samplePassword, signUp } from '../../../infra/local/samples/sampleAccounts.ts'
import { authenticatorKey } from '../../../lib/adapters/dynamodb/authenticatorKeys.ts'
import { type UserId, userIdSchema } from '../../../lib/core/ids.ts'
import { linksIn, textOf } from '../../oauth/authorize/page.ts'
import { queryOf, responseIn, signInAt } from '../../oauth/authorize/people.ts'
import { type Met, Visitor } from '../../oauth/authorize/visitor.ts'
import { enrollFactors } from '../../signIn/secondFactor/enrollFactors.ts'
import { useBillingStack } from '../../support/billingStack.ts'
import { peopleOf } from '../members/people.ts'
import { ruledTeamsOf } from './ruledTeam.ts'

const bed = useBillingStack()
const { ruledTeam } = ruledTeamsOf(bed)
const { setRole } = peopleOf(bed)
let query: string

beforeAll(() => {
  const { demo } = bed.stack.client.info
  query = queryOf({ clientId: demo.client_id }, { redirect_uri: demo.redirect_uri })
})

/** Adds a user to a new organization, Acme, with these rules. */
async function joinTeam(id: UserId, rules: Record<string, unknown>): Promise<void> {
  const team = await ruledTeam(rules)
  await setRole(team.id, { id }, 'member')
}

const required = { second_factor_required_from: '2026-01-01T00:00:00Z' }
const account = z.object({ id: userIdSchema })

/** A new member, just signed in with the password, at the address of the request. */
async function newMember(rules: Record<string, unknown> = required) {
  const { client } = bed.stack
  const user = await signUp(client)
  const { body } = await client.send({ method: 'GET', path: '/api/users/me', token: user.accessToken })
  const { id } = account.parse(body)
  await joinTeam(id, rules)
  const visitor = new Visitor(client.info.base_url)
  await signInAt(visitor, query, user.email, samplePassword)
  return { id, visitor }
}

const responseTo = (met: Met) => responseIn(met, bed.stack.client.info.demo.redirect_uri)

describe('The sign-in of a member without the second factor that an organization requires', () => {
  it('leads to add one, and goes on without it to everything else', async () => {
    const { visitor } = await newMember()
    const page = await visitor.get(query)
    expect(page.status).toBe(200)
    expect(textOf(page.body)).toContain('Acme requires a second factor of every member')
    expect(linksIn(page.body)).toEqual({ 'Add one now': '/api/account/security' })
    expect(responseTo(await visitor.submit(query, page, 'continue'))).toHaveProperty('code')
  })

  it('says so in German', async () => {
    const { visitor } = await newMember()
    const { body } = await visitor.get(`${query}&ui_locales=de`)
    expect(textOf(body)).toContain('Acme verlangt von allen Mitgliedern einen zweiten Faktor')
  })

  it('asks nothing in a silent request, nor ten minutes after the sign-in', async () => {
    const { visitor } = await newMember()
    expect(responseTo(await visitor.get(`${query}&prompt=none`))).toHaveProperty('code')
    await bed.stack.emulator.advance(601)
    expect(responseTo(await visitor.get(query))).toHaveProperty('code')
  })

  it('asks nothing while the rule is of another day, or of another kind', async () => {
    const later = { second_factor_required_from: '2040-01-01T00:00:00Z', max_session_days: 1 }
    const { visitor } = await newMember(later)
    expect(responseTo(await visitor.get(query))).toHaveProperty('code')
  })

  it('asks nothing of somebody who has a factor', async () => {
    const { client, documents } = bed.stack
    const ada = await enrollFactors(client)
    await joinTeam(ada.userId, required)
    const visitor = new Visitor(client.info.base_url)
    await signInAt(visitor, query, ada.email, samplePassword)
    const fields = { factor: 'totp', proof: await ada.code() }
    await visitor.submit(query, await visitor.get(query), 'second_factor', { fields })
    expect(responseTo(await visitor.get(query))).toHaveProperty('code')
    // The session is from before the factor.
    const { visitor: early, id } = await newMember()
    const totp = { cipher: 'cipher', lastStep: 1, createdAt: 1, lastUsedAt: 1 }
    const Item = { ...authenticatorKey(id, 'TOTP'), ...totp }
    await documents.send(new PutCommand({ TableName: client.info.tables.accounts, Item }))
    expect(responseTo(await early.get(query))).toHaveProperty('code')
  })

  // [catch lackedFactor.organizationsLackingFactor]
  it('goes on if the rules cannot be read', async () => {
    const { visitor } = await newMember()
    bed.stack.dynamoDb.fail({ operation: 'BatchGetItem', times: 9, kind: 'drop_before' })
    const answer = await visitor.get(query)
    bed.stack.dynamoDb.reset()
    expect(responseTo(answer)).toHaveProperty('code')
  })
})
