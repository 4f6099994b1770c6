import { createServer } from 'node:http'
import * as z from 'zod'
import { listenOnLoopback } from '../../../infra/listenOnLoopback.ts'
import { runSchedule } from '../../support/runSchedule.ts'
import type { Ground } from './canaryFailures.ts'

const created = z.object({ id: z.string(), secret: z.string() })

/** An endpoint of a receiver that says too much: it is tested, its secret rotated, and it is gone while the store fails. */
export async function useWebhooks({ stack, canaries, organizationId }: Ground): Promise<void> {
  const { client, dynamoDb } = stack
  const token = canaries.add('access token', await stack.token())
  const answer = { status: 200 }
  const receiver = await listenOnLoopback(
    createServer((_request, response) => {
      response.writeHead(answer.status).end(canaries.make('answer of a receiver'))
    }),
  )
  const path = `/api/organizations/${organizationId}/webhook-endpoints`
  const send = async (method: 'POST' | 'PATCH', of: string, body?: object) =>
    (await client.send({ method, path: path + of, token, body })).body
  const error = () => ({ type: 'ValidationException', message: canaries.make('words of DynamoDB') })
  try {
    const url = `${receiver.url}/${canaries.make('path')}?key=${canaries.make('key of a receiver')}`
    await send('POST', '', { url: `https://user:${canaries.make('password')}@hooks.localhost` })
    const { id, secret } = created.parse(await send('POST', '', { url, description: canaries.make('description') }))
    canaries.add('secret of an endpoint', secret)
    const rotated = z.object({ secret: z.string() }).parse(await send('POST', `/${id}/rotate-secret`))
    canaries.add('secret of an endpoint', rotated.secret)

    dynamoDb.fail({ operation: 'GetItem', times: 1, error: error() })
    await runSchedule('events-relay')
    dynamoDb.reset()
    await send('POST', `/${id}/test`)
    dynamoDb.fail({ operation: 'UpdateItem', times: 1, error: error() })
    await runSchedule('events-deliver')
    dynamoDb.reset()
    await runSchedule('events-deliver')

    answer.status = 410
    await send('POST', `/${id}/test`)
    // The run lists what is due, and then ends the others.
    dynamoDb.fail({ operation: 'Query', after: 1, times: 1, error: error() })
    await runSchedule('events-deliver')
    dynamoDb.reset()
  } finally {
    await receiver.close()
  }
}
