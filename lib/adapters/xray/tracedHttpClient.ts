import type Stripe from 'stripe'
import type { FindRecorder } from './tracedClient.ts'

type HttpClient = Pick<Stripe.HttpClient, 'getClientName' | 'makeRequest'>

/** The same client of Stripe's SDK, whose requests are recorded, each attempt by itself, until its answer is read. */
export function tracedHttpClient(client: HttpClient, findRecorder: FindRecorder): HttpClient {
  return {
    getClientName: () => client.getClientName(),
    async makeRequest(...request) {
      const [host, , path, method] = request
      const end = (await findRecorder())?.stripe({ host, path, method })
      if (end === undefined) return client.makeRequest(...request)
      try {
        const answer = await client.makeRequest(...request)
        const status = answer.getStatusCode()
        return {
          ...answer,
          async toJSON() {
            try {
              const body = await answer.toJSON()
              end({ status })
              return body
            } catch (error) {
              end({ error })
              throw error
            }
          },
          // Of an answer that the SDK repeats the request after.
          dispose() {
            end({ status })
            answer.dispose?.()
          },
        }
      } catch (error) {
        end({ error })
        throw error
      }
    },
  }
}
