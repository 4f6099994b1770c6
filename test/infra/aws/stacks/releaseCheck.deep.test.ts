import { describe, expect, it } from '@jest/globals'
import * as z from 'zod'
import { checkEventOf, checkVersion } from '../../../../infra/aws/constructs/functions/releaseCheck/checkVersion.ts'
import {
  type ReleaseCheckDeps,
  releaseCheck,
} from '../../../../infra/aws/constructs/functions/releaseCheck/releaseCheck.ts'
import { type Call, signedCalls } from '../../../../infra/aws/constructs/functions/releaseCheck/signedCall.ts'
import { type FunctionRow, manifest } from '../../../../infra/manifest.ts'
import { stageWith, synthesizeStage } from './synthesized.ts'
import { reference } from './templates.ts'

const rows: readonly FunctionRow[] = manifest
const row = (name: string) => rows.find((one) => one.name === name)
const checkout = {
  row: { trigger: { kind: 'http', method: 'POST', path: '/api/billing/checkout' }, caller: 'billing admin' },
  version: '7',
} as const

/** A CodeDeploy and a Lambda that answer with these, in turn; the last one again. */
function awsOf(
  functionName: string,
  answers: readonly (Response | 'no answer')[],
  /** What is answered to the first calls instead, of whichever service. */
  disturbances: (Response | 'unreached' | undefined)[] = [],
  settings: ReleaseCheckDeps['settings'] = {},
) {
  const calls: Call[] = []
  const results: unknown[] = []
  const left = [...answers]
  let now = 0
  const deps: ReleaseCheckDeps = {
    async call(call) {
      calls.push(call)
      const disturbance = disturbances.shift()
      if (disturbance === 'unreached') throw new TypeError('fetch failed')
      if (disturbance) return disturbance
      if (call.service === 'lambda') {
        const answer = left.length > 1 ? left.shift() : left[0]
        if (answer === 'no answer') throw new DOMException('', 'TimeoutError')
        return answer?.clone() ?? Response.error()
      }
      const operation = call.headers['x-amz-target']?.split('.')[1]
      if (operation === 'ListDeploymentTargets') return Response.json({ targetIds: ['target'] })
      if (operation === 'PutLifecycleEventHookExecutionStatus') {
        results.push(JSON.parse(call.body))
        return Response.json({})
      }
      const lambdaFunctionInfo = { functionName, functionAlias: 'live', currentVersion: '6', targetVersion: '7' }
      return Response.json({ deploymentTarget: { lambdaTarget: { lambdaFunctionInfo } } })
    },
    pause: async (milliseconds) => {
      now += milliseconds
    },
    elapsed: () => now,
    rowOf: (name) => row(name.replace('prod-', '')),
    settings,
    log: () => undefined,
  }
  return { calls, results, deps }
}

const event = { DeploymentId: 'd-1', LifecycleEventHookExecutionId: 'hook' }
const result = (status: string) => [{ deploymentId: 'd-1', lifecycleEventHookExecutionId: 'hook', status }]
const answered = (statusCode: number) => Response.json({ statusCode, body: '{}' })
const passed = () => Response.json({ release_check: 'passed' })
const failed = () => new Response('{}', { headers: { 'x-amz-function-error': 'Unhandled' } })

describe('The check of a release', () => {
  it('calls the new version, not the one in service, and lets it have traffic where it refuses', async () => {
    const { calls, results, deps } = awsOf('prod-billing-checkout', [answered(401)])
    await releaseCheck(event, deps)
    const [invocation] = calls.filter(({ service }) => service === 'lambda')
    expect(invocation?.path).toBe('/2015-03-31/functions/prod-billing-checkout/invocations')
    expect(invocation?.query).toEqual({ Qualifier: '7' })
    expect(JSON.parse(invocation?.body ?? '')).toMatchObject({ routeKey: 'POST /api/billing/checkout' })
    expect(results).toEqual(result('Succeeded'))
  })

  it.each([
    ['fails, as where it does not start', failed()],
    ['answers 500', answered(500)],
    ['answers nothing of a handler’s', Response.json(null)],
    ['cannot be called', new Response('', { status: 404 })],
  ])('keeps traffic from a version that %s', async (_, answer) => {
    const { results, deps } = awsOf('prod-billing-checkout', [answer])
    await releaseCheck(event, deps)
    expect(results).toEqual(result('Failed'))
  })

  it('keeps traffic from a function that it does not know', async () => {
    const { results, deps } = awsOf('prod-something-else', [answered(401)])
    await releaseCheck(event, deps)
    expect(results).toEqual(result('Failed'))
  })

  it('asks a schedule’s function for a check and no run', async () => {
    const { calls, results, deps } = awsOf('prod-deletions-erase', [passed()])
    await releaseCheck(event, deps)
    const [invocation] = calls.filter(({ service }) => service === 'lambda')
    expect(JSON.parse(invocation?.body ?? '')).toEqual({ release_check: true })
    expect(results).toEqual(result('Succeeded'))
  })

  it('waits while a schedule runs, and then for the new version’s check', async () => {
    const busy = new Response('', { status: 429 })
    const { calls, results, deps } = awsOf('prod-billing-sweep', [busy, busy, passed()])
    await releaseCheck(event, deps)
    expect(calls.filter(({ service }) => service === 'lambda')).toHaveLength(3)
    expect(results).toEqual(result('Succeeded'))
  })

  it('waits no longer than it may for a schedule that runs all the time, and lets the release go on', async () => {
    const { results, deps } = awsOf('prod-billing-reconcile', [new Response('', { status: 429 })])
    await releaseCheck(event, deps)
    expect(results).toEqual(result('Succeeded'))
  })

  it('waits for what runs of a schedule may take, but for the last minutes of the longest', () => {
    const { Timeout } = synthesizeStage(stageWith({}, 'prod')).service.lambda('release-check')
    const longest = rows.flatMap(({ trigger, timeoutSeconds }) => (trigger.kind === 'schedule' ? [timeoutSeconds] : []))
    expect(longest.toSorted((a, b) => a - b)).toEqual([60, 60, 60, 60, 120, 300, 300, 900])
    // Lambda's own limit.
    expect(Timeout).toBe(900)
  })

  it.each([
    ['fails', failed()],
    ['does not answer', 'no answer'],
    ['does its work instead', Response.json({ pending: 0, oldest_seconds: 0, swept: 0, resolved: 0 })],
  ] as const)('fails the release where a schedule’s check %s', async (_, answer) => {
    const { results, deps } = awsOf('prod-billing-sweep', [answer])
    await releaseCheck(event, deps)
    expect(results).toEqual(result('Failed'))
  })

  it.each([
    ['has no room', new Response('', { status: 429 })],
    ['does not answer', 'no answer'],
  ] as const)('keeps traffic from a version for callers that %s', async (_, answer) => {
    const { results, deps } = awsOf('prod-billing-checkout', [answer])
    await releaseCheck(event, deps)
    expect(results).toEqual(result('Failed'))
  })

  it('waits for less than it may run itself', async () => {
    const busy = new Response('', { status: 429 })
    // Room for the refusal at the last moment, and none for the read.
    const late = [...Array.from({ length: 90 }, () => busy), answered(401), busy]
    const { calls, deps } = awsOf('prod-billing-entitlements', late, [], { reader: 'unknown_user' })
    const waited: number[] = []
    const pause = async (milliseconds: number) => {
      waited.push(milliseconds)
      await deps.pause(milliseconds)
    }
    await releaseCheck(event, { ...deps, pause })
    const { timeoutMs = Number.POSITIVE_INFINITY } = calls.find(({ service }) => service === 'lambda') ?? {}
    const { Timeout } = synthesizeStage(stageWith({}, 'prod')).service.lambda('release-check')
    // Each of the five calls may be repeated for a minute, and both of Lambda's waited for.
    const others = 5 * 60_000 + 2 * timeoutMs
    expect(waited.reduce((sum, one) => sum + one, others)).toBeLessThan(Timeout * 1000)
  })

  const throttled = () => Response.json({ __type: 'ThrottlingException', message: 'Rate exceeded' }, { status: 400 })
  const unavailable = () => new Response('', { status: 503 })

  it.each([
    ['CodeDeploy throttles its first call', [throttled()]],
    ['CodeDeploy throttles its second call twice', [undefined, throttled(), throttled()]],
    ['CodeDeploy fails', [unavailable(), undefined, new Response('', { status: 500 })]],
    ['CodeDeploy cannot be reached', ['unreached', undefined, 'unreached']],
    ['Lambda fails, or cannot be reached', [undefined, undefined, unavailable(), 'unreached']],
    ['its result is throttled', [undefined, undefined, undefined, throttled(), throttled()]],
  ] as const)('lets a healthy release go on where %s', async (_, disturbances) => {
    const { results, deps } = awsOf('prod-billing-checkout', [answered(401)], [...disturbances])
    await releaseCheck(event, deps)
    expect(results).toEqual(result('Succeeded'))
  })

  it('repeats a call with pauses that are random and grow', async () => {
    const { results, deps } = awsOf('prod-billing-checkout', [answered(401)], Array.from({ length: 9 }, throttled))
    const waited: number[] = []
    const pause = async (milliseconds: number) => {
      waited.push(milliseconds)
      await deps.pause(milliseconds)
    }
    await releaseCheck(event, { ...deps, pause })
    expect(results).toEqual(result('Succeeded'))
    expect(new Set(waited).size).toBe(9)
    expect([Math.max(...waited) <= 8000, (waited[0] ?? 0) <= 500, (waited[8] ?? 0) >= 4000]).toEqual([true, true, true])
  })

  it('gives up after a minute: CodeDeploy that refuses for longer gets no result', async () => {
    const refusing = awsOf('prod-billing-checkout', [answered(401)], Array.from({ length: 1000 }, throttled))
    await expect(releaseCheck(event, refusing.deps)).rejects.toThrow('PutLifecycleEventHookExecutionStatus: 400')
    expect(refusing.deps.elapsed()).toBeGreaterThan(100_000)
    expect(refusing.deps.elapsed()).toBeLessThan(121_000)
  })

  it('repeats no call that is refused for good, nor one that is not answered in its time', async () => {
    const refused = awsOf(
      'prod-billing-checkout',
      [answered(401)],
      [Response.json({ __type: 'DeploymentDoesNotExistException' }, { status: 400 })],
    )
    await releaseCheck(event, refused.deps)
    expect([refused.results, refused.deps.elapsed()]).toEqual([result('Failed'), 0])
    const silent = awsOf('prod-billing-checkout', ['no answer'])
    await releaseCheck(event, silent.deps)
    expect(silent.calls.filter(({ service }) => service === 'lambda')).toHaveLength(1)
  })

  const canary = `client_${'0'.repeat(31)}1_${'0'.repeat(31)}2`
  const organizationId = '00000000-0000-0000-0000-000000000001'

  it.each([
    ['serves the canary', canary, 'billing-entitlements', [401, 200], 'Succeeded'],
    ['refuses the canary', canary, 'billing-entitlements', [401, 401], 'Failed'],
    ['fails at its read', canary, 'billing-entitlements', [401, 503], 'Failed'],
    ['refuses nobody after a read', 'unknown_user', 'billing-entitlements', [401, 401], 'Succeeded'],
    ['fails at the read of nobody', 'unknown_user', 'users-me', [401, 500], 'Failed'],
    ['serves nobody', 'unknown_user', 'users-me', [401, 200], 'Failed'],
    ['is not for API clients, and refuses', canary, 'users-me', [401, 401], 'Succeeded'],
  ])('reads from a version that %s', async (_, reader, name, statuses, status) => {
    const { calls, results, deps } = awsOf(`prod-${name}`, statuses.map(answered), [], { reader })
    await releaseCheck(event, deps)
    expect(results).toEqual(result(status))
    const sent = calls.flatMap(({ service, body }) => (service === 'lambda' ? [JSON.parse(body)] : []))
    expect(sent.map(({ release_read }) => release_read)).toEqual([undefined, true])
    expect(sent[1].headers).toEqual(sent[0].headers)
    if (reader === canary) expect(sent[1].pathParameters).toEqual({ organization_id: organizationId })
    if (reader === canary) expect(sent[1].rawQueryString).toBe(`organization_id=${organizationId}`)
  })

  it.each([
    ['changes something', canary, 'billing-checkout'],
    ['serves a public document', canary, 'oauth-jwks'],
    ['is released during faults', undefined, 'billing-entitlements'],
  ])('asks for no read where the function %s', async (_, reader, name) => {
    const { calls, results, deps } = awsOf(`prod-${name}`, [answered(401)], [], { reader })
    await releaseCheck(event, deps)
    expect(results).toEqual(result('Succeeded'))
    expect(calls.filter(({ service }) => service === 'lambda')).toHaveLength(1)
  })

  it('says nothing of what a failed version answered', async () => {
    const invoke = async () => ({ functionError: 'Unhandled', payload: '{"errorMessage":"sk_live_secret"}' })
    await expect(checkVersion({ ...checkout, functionName: 'prod-x' }, invoke)).rejects.toThrow(
      /^prod-x:7 failed: Unhandled$/,
    )
  })

  it('sends no token, signature, parameter or body, and the firewall’s key where there is one', () => {
    const sent = z.looseObject({ rawPath: z.string(), headers: z.record(z.string(), z.string()) })
    for (const one of rows.filter(({ trigger }) => trigger.kind !== 'schedule')) {
      const { rawPath, headers, ...rest } = sent.parse(checkEventOf(one, 'key'))
      expect(Object.keys(headers)).toEqual(['host', 'accept', 'x-console-edge-key'])
      expect(rawPath).not.toContain('{')
      expect(rest).not.toHaveProperty('body')
    }
    expect(checkEventOf(checkout.row, 'key')).toMatchObject({ headers: { 'x-console-edge-key': 'key' } })
    expect(checkEventOf(checkout.row)).not.toMatchObject({ headers: { 'x-console-edge-key': expect.anything() } })
  })
})

describe('A signed call', () => {
  it('carries Signature Version 4 of the role, for the service and region', async () => {
    const sent: Request[] = []
    const { fetch } = globalThis
    globalThis.fetch = async (input, init) => {
      sent.push(new Request(input, init))
      return Response.json({})
    }
    const credentials = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'secret', AWS_SESSION_TOKEN: 'session' }
    const callIn = (AWS_REGION: string) =>
      signedCalls({ AWS_REGION, ...credentials })({
        service: 'lambda',
        path: '/a',
        query: { Qualifier: '7' },
        headers: {},
        body: '{}',
      })
    try {
      await callIn('eu-central-1')
      await callIn('cn-north-1')
      await expect(callIn('eusc-de-east-1')).rejects.toThrow('The domain of eusc-de-east-1 is not known')
    } finally {
      globalThis.fetch = fetch
    }
    expect(sent[1]?.url).toBe('https://lambda.cn-north-1.amazonaws.com.cn/a?Qualifier=7')
    expect(sent[0]?.url).toBe('https://lambda.eu-central-1.amazonaws.com/a?Qualifier=7')
    const authorization = sent[0]?.headers.get('authorization')
    expect(authorization).toMatch(/^AWS4-HMAC-SHA256 Credential=AKID\/\d{8}\/eu-central-1\/lambda\/aws4_request, /)
    expect(sent[0]?.headers.get('x-amz-security-token')).toBe('session')
  })
})

describe('The stack', () => {
  const { service } = synthesizeStage(stageWith({}, 'prod'))

  it('names the check before traffic for every function of the manifest, and lets CodeDeploy call it', () => {
    const policy = z.object({ CodeDeployLambdaAliasUpdate: z.object({ BeforeAllowTrafficHook: z.string() }) })
    const resources = z.record(z.string(), z.looseObject({ Type: z.string(), UpdatePolicy: policy.optional() }))
    const hooks = Object.values(resources.parse(service.json.Resources)).flatMap(({ UpdatePolicy }) =>
      UpdatePolicy ? [UpdatePolicy.CodeDeployLambdaAliasUpdate.BeforeAllowTrafficHook] : [],
    )
    expect(hooks).toEqual(rows.map(() => 'prod-release-check'))
    const { id } = service.lambda('release-check')
    const [role] = service
      .resources('AWS::IAM::Role', z.looseObject({ ManagedPolicyArns: z.array(reference).optional() }))
      .filter(({ Properties }) => Properties.ManagedPolicyArns?.some((arn) => arn.includes('CodeDeploy')))
    expect(service.statements(`${role?.id}`)).toMatchObject([
      { Action: ['lambda:InvokeFunction'], Resource: [`${id}.Arn`] },
    ])
  })

  it('lets the check call versions of these functions, and speak of its own application’s deployments', () => {
    const statements = service.statements(service.lambda('release-check').Role)
    const [invoke] = statements.filter(({ Action }) => Action.includes('lambda:InvokeFunction'))
    const called = invoke?.Resource.map((arn) => arn.split(':function:')[1])
    expect(called?.toSorted()).toEqual(rows.map(({ name }) => `prod-${name}:*`).toSorted())
    const [deploy] = statements.filter(({ Action }) => Action.some((action) => action.startsWith('codedeploy:')))
    expect(deploy?.Resource.map((arn) => arn.split(':deploymentgroup:')[1])).toEqual(['prod-console/*'])
  })
})
