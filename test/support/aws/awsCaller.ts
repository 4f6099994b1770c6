import { AsyncLocalStorage } from 'node:async_hooks'
import { runningFunction } from '../../../infra/local/invokeFunction.ts'
import { operator } from '../../../infra/manifest/operator.ts'

const acting = new AsyncLocalStorage<string>()

/** Plays an operator's command: its calls of AWS are the operators' role's, and so are those of a function that it runs. */
export function asOperator<Result>(play: () => Promise<Result>): Promise<Result> {
  return acting.run(operator.name, play)
}

/** The role whose call of AWS is made now, by the manifest's name; undefined for the tests' own. */
export function awsCaller(): string | undefined {
  return acting.getStore() ?? runningFunction.getStore()?.name
}

/** Does something as the tests. */
export function asTests<Result>(play: () => Result): Result {
  return acting.exit(() => runningFunction.exit(play))
}
