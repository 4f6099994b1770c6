import * as z from 'zod'
import { toRfc3339 } from '../../lib/core/clock.ts'
import type { EndpointOperation } from '../../lib/events/endpoints/operateEndpoints.ts'
import { eventTypeSchema } from '../../lib/events/eventTypes.ts'
import type { Endpoint } from '../../lib/events/ports.ts'
import { type Run, refused } from './command.ts'

const usage = 'webhooks list | add URL [--type TYPE ...] | remove ID | rotate ID | test ID | enable ID'

const done = {
  add: 'added',
  remove: 'removed',
  rotate: 'given a new secret',
  test: 'sent a test',
  enable: 'enabled',
} as const
const withId = ['remove', 'rotate', 'test', 'enable'] as const

/** `webhooks list`, `add URL [--type TYPE ...]`, `remove ID`, `rotate ID`, `test ID`, `enable ID`: endpoints of the operator, which hear every
 * organization. */
export const webhooks: Run = async ([verb = '', subject], { dryRun, types, connect }) => {
  const operation = verb === 'list' ? undefined : operationOf(verb, subject, types)
  if (verb === 'list' && (subject !== undefined || types.length > 0)) throw new Error(usage)
  await connect()
  const { operateEndpointsDepsFromEnvironment } = await import('../../lib/runtime/operators.ts')
  const deps = await operateEndpointsDepsFromEnvironment()
  if (operation === undefined) {
    const all = await deps.endpoints.list('operator')
    for (const endpoint of all.toSorted((one, other) => one.createdAt - other.createdAt)) print(endpoint)
    console.log(`webhooks: ${all.length} endpoints of the operator`)
    return 0
  }
  const { operateOnEndpoint } = await import('../../lib/events/endpoints/operateEndpoints.ts')
  const outcome = await operateOnEndpoint(deps, operation, { dryRun })
  if (outcome.kind === 'refused') return refused('webhooks', outcome.why)
  print(outcome.endpoint)
  console.log(`webhooks: the endpoint ${dryRun ? 'would be' : 'was'} ${done[operation.kind]}`)
  if (outcome.secret !== undefined) console.log(`Its secret, which is not shown again: ${outcome.secret}`)
  return 0
}

function operationOf(verb: string, subject: string | undefined, types: readonly string[]): EndpointOperation {
  if (subject === undefined) throw new Error(usage)
  if (verb === 'add') {
    const eventTypes = z.array(eventTypeSchema).safeParse(types).data
    if (eventTypes === undefined) throw new Error(`--type is one of ${eventTypeSchema.options.join(', ')}`)
    const settings = { url: subject, eventTypes: eventTypes.length === 0 ? null : eventTypes, description: '' }
    return { kind: 'add', settings }
  }
  const kind = withId.find((each) => each === verb)
  if (kind === undefined || types.length > 0) throw new Error(usage)
  if (!z.uuid().safeParse(subject).success) throw new Error('ID is that of an endpoint: webhooks list')
  return { kind, id: subject }
}

function print({ id, url, eventTypes, enabled, disabledReason, createdAt }: Endpoint): void {
  const state = enabled ? 'enabled' : `disabled (${disabledReason ?? 'by an operator'})`
  console.log(`${id}  ${state}  since ${toRfc3339(createdAt)}  ${eventTypes?.join(',') ?? 'every type'}  ${url}`)
}
