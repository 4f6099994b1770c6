import { UpdateCommand } from '@aws-sdk/lib-dynamodb'
import { afterAll, describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { createDocumentClient } from '../../../../lib/adapters/dynamodb/kit/documentClient.ts'
import { useApiClients } from '../../../organizations/apiClients/useApiClients.ts'
import { DAY, deletionBed } from '../../../organizations/deletion/deletionBed.ts'
import { type Person, peopleOf } from '../../../organizations/members/people.ts'

const { bed, tokenOf } = useApiClients()
const { person, organizationOf, setRole } = peopleOf(bed)
const { run, atRest } = deletionBed(bed)

const taken = [409, ['coupon_already_redeemed']]
const boughtOne = [201, ['bought active']]
const created = z.object({ id: z.string(), client_id: z.string(), client_secret: z.string() })
type Client = z.infer<typeof created>

let database: ReturnType<typeof createDocumentClient> | undefined
afterAll(() => database?.destroy())

const clientsOf = (id: string) => `/api/organizations/${id}/api-clients`

/** A new API client of an organization, made by one of its owners. */
async function clientBy(owner: Person, id: string): Promise<Client> {
  const scopes = ['billing:read', 'billing:write']
  return created.parse((await owner.call('POST', clientsOf(id), { name: 'Buyer', scopes })).body)
}

/** A coupon for which nothing is charged, so that no card is needed. */
const freeCoupon = () => bed.stack.newCoupon({ percent_off: 100 })

async function buyAs(client: Client, id: string, coupon: string, plan = 'base_ota') {
  const { status, outcomes } = await bed.stack.checkoutWith(await tokenOf(client), id, [plan], { coupon })
  return [status, outcomes]
}

async function buyBy(who: Person, id: string, coupon_code: string, plan = 'base_ota') {
  const path = `/api/billing/checkout?organization_id=${id}`
  const { status, body } = await who.call('POST', path, { product_codes: [plan], coupon_code })
  const lines = z.array(z.object({ ok: z.boolean(), error: z.string().optional() })).parse(body)
  return [status, lines.map(({ ok, error }) => (ok ? 'bought active' : error))]
}

async function previewAs(client: Client, id: string, coupon_code: string) {
  const path = `/api/billing/checkout/preview?organization_id=${id}`
  const body = { product_codes: ['addon_monitoring'], coupon_code }
  return (await bed.stack.client.send({ method: 'POST', path, token: await tokenOf(client), body })).body
}

/** Leaves a client as an earlier version stored it: without its creator. */
async function forgetCreator({ id }: Client, organizationId: string): Promise<void> {
  const { dynamodb_endpoint: endpoint, tables } = bed.stack.client.info
  database ??= createDocumentClient({ endpoint, region: 'us-east-1' })
  const Key = { pk: `API_CLIENTS#${organizationId}`, sk: `API_CLIENT#${id}` }
  await database.send(new UpdateCommand({ TableName: tables.accounts, Key, UpdateExpression: 'REMOVE createdBy' }))
}

/** A redemption as earlier versions stored it: under the id of whoever sent the request. */
const putEarlier = (couponId: string, by: string) =>
  bed.stack.putItem({ pk: `COUPON#${couponId}`, sk: `USER#${by}`, couponId, userId: by, n: 1, state: 'APPLIED' })

describe('POST /api/billing/checkout by an API client with a coupon', () => {
  // [threat 115]
  it('redeems it for the user who created the client: for no other client of theirs, and not for themselves', async () => {
    const [owner, other] = [await person(), await person()]
    const [id, second] = [await organizationOf(owner), await organizationOf(owner)]
    await setRole(id, other, 'owner')
    const coupon = await freeCoupon()
    const first = await clientBy(owner, id)
    expect(await buyAs(first, id, coupon.code)).toEqual(boughtOne)

    expect((await owner.call('DELETE', `${clientsOf(id)}/${first.id}`)).status).toBe(204)
    const later = await clientBy(owner, id)
    expect(await buyAs(later, id, coupon.code, 'addon_monitoring')).toEqual(taken)
    expect(await previewAs(later, id, coupon.code)).toMatchObject({ lines: [{ error: 'coupon_already_redeemed' }] })
    expect(await buyAs(await clientBy(owner, second), second, coupon.code)).toEqual(taken)
    expect(await buyBy(owner, second, coupon.code)).toEqual(taken)

    const others = await clientBy(other, id)
    expect(await previewAs(others, id, coupon.code)).toMatchObject({ lines: [{ ok: true }] })
    expect(await buyAs(others, id, coupon.code, 'addon_monitoring')).toEqual(boughtOne)
    expect(await buyBy(other, id, coupon.code, 'addon_remote_ssh')).toEqual(taken)
    expect(await bed.stack.redemptions(coupon.id)).toHaveLength(2)
  })

  it('is refused it where the user who created the client has redeemed it', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    const coupon = await freeCoupon()
    expect(await buyBy(owner, id, coupon.code)).toEqual(boughtOne)
    expect(await buyAs(await clientBy(owner, id), id, coupon.code, 'addon_monitoring')).toEqual(taken)
  })

  it('is refused it when that user is erased, whose redemption is counted without their id', async () => {
    const [owner, other] = [await person(), await person()]
    const id = await organizationOf(owner)
    await setRole(id, other, 'owner')
    const coupon = await freeCoupon()
    const client = await clientBy(owner, id)
    expect(await buyBy(owner, id, coupon.code)).toEqual(boughtOne)
    expect((await owner.call('DELETE', '/api/users/me')).status).toBe(202)
    await bed.stack.emulator.advance(30 * DAY + 5)
    await run()
    expect((await atRest()).filter(({ pk }) => pk === `USER#${owner.id}`)).toEqual([])
    const redemptions = await bed.stack.redemptions(coupon.id)
    expect(redemptions).toHaveLength(1)
    expect(JSON.stringify(redemptions)).not.toContain(owner.id)
    expect(await buyAs(client, id, coupon.code, 'addon_monitoring')).toEqual(taken)
  })

  it('redeems it once for all clients of an organization whose creators were not stored', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    const coupon = await freeCoupon()
    const clients = [await clientBy(owner, id), await clientBy(owner, id)] as const
    for (const client of clients) await forgetCreator(client, id)
    expect(await buyAs(clients[0], id, coupon.code)).toEqual(boughtOne)
    expect(await buyAs(clients[1], id, coupon.code, 'addon_monitoring')).toEqual(taken)
  })
})

describe('A redemption that an earlier version stored', () => {
  it('counts for its user, for the clients that the user created, and for no other user', async () => {
    const [owner, other] = [await person(), await person()]
    const id = await organizationOf(owner)
    await setRole(id, other, 'owner')
    const coupon = await freeCoupon()
    await putEarlier(coupon.id, owner.id)
    const client = await clientBy(owner, id)
    expect(await previewAs(client, id, coupon.code)).toMatchObject({ lines: [{ error: 'coupon_already_redeemed' }] })
    expect(await buyAs(client, id, coupon.code)).toEqual(taken)
    expect(await buyBy(owner, id, coupon.code)).toEqual(taken)
    expect(await buyBy(other, id, coupon.code)).toEqual(boughtOne)
  })

  it('counts for its client', async () => {
    const owner = await person()
    const id = await organizationOf(owner)
    const coupon = await freeCoupon()
    const client = await clientBy(owner, id)
    await forgetCreator(client, id)
    await putEarlier(coupon.id, client.client_id)
    expect(await buyAs(client, id, coupon.code)).toEqual(taken)
  })
})
