import { afterAll, beforeAll, expect, it } from '@jest/globals'
import { noon, userId } from '../../fixtures.ts'
import { answer, openGateway, stripeSubscription } from '../../openGateway.ts'

let gateway: Awaited<ReturnType<typeof openGateway>>
const sent: string[] = []
/** What is charged next, once nothing ends. */
const nextCharge = '/v1/invoices/create_preview '

beforeAll(async () => {
  // `sub_portal` was canceled for a time of its own: only the parameter for such a time takes that back.
  gateway = await openGateway(async (request, response) => {
    let body = ''
    for await (const chunk of request) body += chunk
    const params = new URLSearchParams(body)
    sent.push(`${request.url} ${[...params].filter(([name]) => name.startsWith('cancel_')).join('; ')}`)
    const isLeft = request.url?.endsWith('sub_portal') && !params.has('cancel_at')
    const object = stripeSubscription(String(request.url).split('/').at(-1) ?? '', 1)
    answer(response, 200, { ...object, cancel_at: isLeft ? noon + 60 : null })
  })
})
afterAll(() => gateway.close())

it('resumeSubscription takes back an end of the period in one call, and any other scheduled time in a second one', async () => {
  for (const id of ['sub_period', 'sub_portal']) {
    expect(await gateway.subscriptions.resumeSubscription(id, userId)).toMatchObject({
      kind: 'ok',
      value: { id, cancelAt: null },
    })
  }
  expect(sent).toEqual([
    '/v1/subscriptions/sub_period cancel_at_period_end,false',
    nextCharge,
    '/v1/subscriptions/sub_portal cancel_at_period_end,false',
    '/v1/subscriptions/sub_portal cancel_at,',
    nextCharge,
  ])
})
