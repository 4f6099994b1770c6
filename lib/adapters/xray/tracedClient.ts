import type { CallRecorder } from './callRecorder.ts'

/** Resolves to the recorder of the running invocation; undefined where that is not traced. Never rejects. */
export type FindRecorder = () => Promise<CallRecorder | undefined>

type Handle = (args: { input: object }) => Promise<{ output: object; response: unknown }>
interface Context {
  readonly clientName?: string
  readonly commandName?: string
}

/** What every client of AWS's SDK is. */
interface AwsClient {
  readonly middlewareStack: {
    add(
      middleware: (next: Handle, context: Context) => Handle,
      options: { step: 'initialize'; name: string; priority: 'high' },
    ): void
  }
}

/**
 * The same client, whose calls are recorded, each with all of its attempts. Of a client that is loaded when it is first used nothing is asked
 * for before its first call.
 */
export function tracedClient<Client extends AwsClient>(client: Client, findRecorder: FindRecorder): Client {
  let isRecorded = false
  return new Proxy(client, {
    get(target, key) {
      if (key === 'send' && !isRecorded) {
        isRecorded = true
        target.middlewareStack.add(recording(findRecorder), { step: 'initialize', name: 'recording', priority: 'high' })
      }
      const value = Reflect.get(target, key)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function recording(findRecorder: FindRecorder) {
  return (next: Handle, { clientName = '', commandName = '' }: Context): Handle =>
    async (args) => {
      const end = (await findRecorder())?.aws({ clientName, commandName, input: args.input })
      if (end === undefined) return next(args)
      try {
        const answer = await next(args)
        end(answer)
        return answer
      } catch (error) {
        end({ error })
        throw error
      }
    }
}
