import * as z from 'zod/mini'
import type { FunctionRow } from '../../../../manifest.ts'
import { type CheckSettings, checkVersion, type Invoke } from './checkVersion.ts'
import type { SignedCall } from './signedCall.ts'
import { untilAnswered } from './untilAnswered.ts'

const hookEvent = z.object({ DeploymentId: z.string(), LifecycleEventHookExecutionId: z.string() })
const targets = z.object({ targetIds: z.tuple([z.string()]) })
const target = z.object({
  deploymentTarget: z.object({
    lambdaTarget: z.object({
      lambdaFunctionInfo: z.object({ functionName: z.string(), targetVersion: z.string() }),
    }),
  }),
})

/**
 * How long to wait in all when a schedule's own run holds the only reserved execution: most runs end in seconds, a reconciliation after up to 15
 * minutes. Then how long the new version may take to answer each call. With the repetitions of five calls they are less than the check's own
 * timeout.
 */
const ROOM_MS = 480_000
const ANSWER_MS = 50_000
const PAUSE_MS = 5000

export interface ReleaseCheckDeps {
  readonly call: SignedCall
  readonly pause: (milliseconds: number) => Promise<unknown>
  /** Milliseconds that have passed since any moment. */
  readonly elapsed: () => number
  readonly rowOf: (functionName: string) => FunctionRow | undefined
  readonly settings: CheckSettings
  readonly log: (line: object) => void
}

/**
 * CodeDeploy's hook before traffic: checks the version of the deployment and reports the result. If the check cannot run, the version fails,
 * and the alias stays as it is.
 * @throws if CodeDeploy does not take the result; it then gives up after an hour
 */
export async function releaseCheck(event: unknown, given: ReleaseCheckDeps): Promise<void> {
  const deps = { ...given, call: untilAnswered(given) }
  const { DeploymentId: deploymentId, LifecycleEventHookExecutionId } = hookEvent.parse(event)
  const status = await check(deploymentId, deps).then(
    (checked) => {
      deps.log({ message: 'Version checked', deploymentId, ...checked })
      return 'Succeeded'
    },
    (error: unknown) => {
      deps.log({ message: 'Version refused', deploymentId, reason: error instanceof Error ? error.message : 'unknown' })
      return 'Failed'
    },
  )
  const result = { deploymentId, lifecycleEventHookExecutionId: LifecycleEventHookExecutionId, status }
  await codeDeploy(deps.call, 'PutLifecycleEventHookExecutionStatus', result)
}

async function check(deploymentId: string, { call, pause, rowOf, settings }: ReleaseCheckDeps) {
  const { targetIds } = targets.parse(await codeDeploy(call, 'ListDeploymentTargets', { deploymentId }))
  const [targetId] = targetIds
  const found = target.parse(await codeDeploy(call, 'GetDeploymentTarget', { deploymentId, targetId }))
  const { functionName, targetVersion: version } = found.deploymentTarget.lambdaTarget.lambdaFunctionInfo
  const row = rowOf(functionName)
  if (row === undefined) throw new Error(`No row of the manifest is ${functionName}`)
  const status = await checkVersion({ row, functionName, version }, invokeBy(call, pause), settings)
  return { functionName, version, status }
}

async function codeDeploy(call: SignedCall, operation: string, input: object): Promise<unknown> {
  const headers = { 'content-type': 'application/x-amz-json-1.1', 'x-amz-target': `CodeDeploy_20141006.${operation}` }
  const response = await call({ service: 'codedeploy', path: '/', headers, body: JSON.stringify(input) })
  if (!response.ok) throw new Error(`${operation}: ${response.status}`)
  return response.json()
}

/** Waits while Lambda answers 429, as it does when a schedule runs, and then for the answer, both with a limit. Rejects if there is no answer. */
function invokeBy(call: SignedCall, pause: ReleaseCheckDeps['pause']): Invoke {
  let waited = 0
  return async (functionName, version, event) => {
    const path = `/2015-03-31/functions/${functionName}/invocations`
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify(event)
    const asked = { path, query: { Qualifier: version }, headers, body, timeoutMs: ANSWER_MS }
    const send = () => call({ service: 'lambda', ...asked })
    let response = await send()
    for (; response.status === 429 && waited < ROOM_MS; waited += PAUSE_MS) {
      await pause(PAUSE_MS)
      response = await send()
    }
    if (response.status === 429) return 'no room'
    if (!response.ok) throw new Error(`Invoke of ${functionName}:${version}: ${response.status}`)
    const functionError = response.headers.get('x-amz-function-error') ?? undefined
    return { functionError, payload: await response.text() }
  }
}
